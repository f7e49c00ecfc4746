"""Charts as specifications and as pictures; nothing here asks for a network."""

import json
import os
import re
from typing import Any, Final
from xml.sax.saxutils import escape

from irkit.errors import MissingDependencyError, UsageError
from irkit.files.textio import write_bytes
from irkit.report.figures.theme import palette, theme

FORMATS: Final = (".svg", ".png", ".pdf", ".json")


def to_spec(chart: Any, *, dark: bool = False) -> dict[str, Any]:
    """The Vega-Lite specification of a figure, as plain Python values ready for JSON.

    Its data stand in `datasets` by name, as the function of each figure says; `config` is the theme, with a transparent
    background.

    Parameters
    ----------
    chart : altair chart
        Of one of the functions of `irkit.report.figures`.
    dark : bool
        With the dark theme.
    """
    # Its parts were checked when they were made; to check thousands of rows against the grammar takes a second.
    spec: dict[str, Any] = chart.to_dict(validate=False)
    spec["config"] = theme(dark)
    return spec


def picture(chart: Any, form: str, *, dark: bool = False, scale: float = 3.0) -> bytes:
    """A figure as the content of a file.

    The same chart gives the same bytes, of SVG and JSON everywhere, with the same version of vl-convert.

    Parameters
    ----------
    chart : altair chart
    form : {'svg', 'png', 'pdf', 'json'}
        json is the specification, as of `to_spec`. The others are painted on white, or on the dark theme's ground.
    dark : bool
        With the dark theme.
    scale : float
        Dots of a PNG for each pixel of the figure.

    Raises
    ------
    UsageError
        If there is no such form, or the scale is out of range.
    MissingDependencyError
        If vl-convert is not installed.
    """
    if f".{form}" not in FORMATS:
        raise UsageError(f"a figure is written as {', '.join(one[1:] for one in FORMATS)}, not {form!r}")
    if not 0.1 <= scale <= 20:
        raise UsageError(f"a scale is 0.1 to 20 dots for each pixel, got {scale}")
    spec = to_spec(chart, dark=dark)
    if form == "json":
        return (json.dumps(spec, ensure_ascii=True, indent=1, allow_nan=False) + "\n").encode()
    spec["background"] = palette(dark).page
    version = _grammar(spec)
    converter = _converter()
    svg = _described(converter.vegalite_to_svg(spec, vl_version=version, allowed_base_urls=[]), spec["description"])
    if form == "svg":
        return svg.encode()
    if form == "pdf":
        # A pixel is a 96th of an inch; a point, which a PDF takes it for, is a 72nd.
        svg = re.sub(
            r' (width|height)="([\d.]+)"', lambda size: f' {size[1]}="{float(size[2]) * 0.75:g}"', svg, count=2
        )
        pdf: bytes = converter.svg_to_pdf(svg)
        return pdf
    # Dots an inch are written into the file; the converter takes a pixel for a 72nd of it.
    png: bytes = converter.svg_to_png(svg, scale=0.75, ppi=96 * scale)
    return png


def write(chart: Any, path: str | os.PathLike[str], *, dark: bool = False, scale: float = 3.0) -> None:
    """Write a figure, whole or not at all; the ending of the name says as what: .svg, .png, .pdf or .json.

    Parameters
    ----------
    chart, dark, scale
        As of `picture`.
    path : str or path

    Raises
    ------
    UsageError
        If the name has another ending, or the place cannot be written; and as `picture`.
    MissingDependencyError
        If vl-convert is not installed.
    """
    write_bytes(path, picture(chart, form_of(path), dark=dark, scale=scale))


def form_of(path: str | os.PathLike[str]) -> str:
    """The form that a file's ending names.

    Raises
    ------
    UsageError
        If it names none.
    """
    ending = os.path.splitext(os.fspath(path))[1].lower()  # noqa: PTH122 - of a str or a path alike
    if ending not in FORMATS:
        raise UsageError(f"{os.fspath(path)}: a figure's name ends in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
    return ending[1:]


def vega_bundle() -> str:
    """JavaScript that shows specifications: Vega, Vega-Lite and vega-embed, as `window.vegaEmbed`; about 0.9 MB.

    It can stand in a `<script>` element of a page and asks for nothing more. Call `vegaEmbed` with `ast: true`, so that
    nothing is evaluated as code.

    Raises
    ------
    MissingDependencyError
        If vl-convert is not installed.
    """
    bundle: str = _converter().javascript_bundle()
    # What would end the element, or begin a comment in it, is the same to JavaScript with the escape.
    return re.sub(r"<(?=/script|!--)", r"\\x3c", bundle, flags=re.IGNORECASE)


def _converter() -> Any:
    try:
        import vl_convert
    except ImportError as problem:
        raise MissingDependencyError("pictures need vl-convert; pip install 'irkit[report]'") from problem
    return vl_convert


def _grammar(spec: dict[str, Any]) -> str:
    """The version of Vega-Lite that the specification names, as `6.4`."""
    found = re.search(r"/v(\d+\.\d+)", spec["$schema"])
    return found[1] if found else ""


def _described(svg: str, description: str) -> str:
    """The picture with its description, for readers who cannot see it."""
    start = svg.index(">") + 1
    head = svg[: start - 1] + ' role="img" aria-labelledby="description">'
    return f'{head}<desc id="description">{escape(description)}</desc>{svg[start:]}\n'
