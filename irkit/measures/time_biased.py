"""Users who look the less the further down they are, whatever they find: SDCG, TBG and U-measure."""

from functools import partial
from typing import Unpack

from irkit.judged import Judged, PerTopic
from irkit.measures import continuation
from irkit.measures.cwl import ExpectationOptions, expected_by_topic
from irkit.measures.gains import Dcg


def sdcg(judged: Judged, cutoff: int, dcg: Dcg = "log2", **asked: Unpack[ExpectationOptions]) -> PerTopic:
    """DCG as a share of the DCG of `cutoff` documents of the highest grade.

    Parameters
    ----------
    cutoff : int
        Depth in documents, at least 1: nobody looks further.
    dcg : {"log2", "exp-log2"}
        With exp-log2, 2 ** grade - 1 stands for each grade, those of the scale too.
    min_rel, max_rel, gains, of, residual
        As of `expected_by_topic`.

    Returns
    -------
    float64 array of shape (T,), EU in [0, 1]; EU and ETU are 0 if nothing relevant was retrieved. A short list gains
    nothing after its end.

    Raises
    ------
    MeasureError
        If `min_rel` is not below `max_rel`.

    Notes
    -----
    sum over r <= cutoff of g(r) / log2(r + 1), divided by the sum over r <= cutoff of 1 / log2(r + 1),
        g(r) = (grade - min_rel) / (max_rel - min_rel)

    Examples
    --------
    Ranked 1 - 2, not retrieved 2 2: SDCG(max_rel=2)@3 = (1/2 + 1/2) / (1 + 1/log2(3) + 1/2) = 0.4693
    Ranked 1: SDCG(dcg='exp-log2',max_rel=2)@3 = 1/3 / (1 + 1/log2(3) + 1/2) = 0.1564
    Ranked 1: SDCG(max_rel=2)@3 = 1/2 / (1 + 1/log2(3) + 1/2) = 0.2346

    References
    ----------
    cwl_eval 1.0.12, NDCGCWLMetric; ir_measures 0.4.3.
    """
    return expected_by_topic(judged, partial(continuation.scaled_dcg, cutoff=cutoff), dcg=dcg, **asked)


def tbg(judged: Judged, halflife: float, **asked: Unpack[ExpectationOptions]) -> PerTopic:
    """Time-biased gain per document: half of the users are left after each `halflife` of time, a document taking 1.

    Parameters
    ----------
    halflife : float
        In documents, above 0. cwl_eval's 224 is in seconds, for documents whose time is known: see `expectations`.
    min_rel, max_rel, gains, of, residual
        As of `expected_by_topic`.

    Returns
    -------
    float64 array of shape (T,), EU in [0, 1]; EU and ETU are 0 if nothing relevant was retrieved. A short list gains
    nothing after its end.

    Raises
    ------
    MeasureError
        If `min_rel` is not below `max_rel`.

    Notes
    -----
    sum over r <= 1000 of g(r) 2^(-(r - 1) / halflife), divided by the sum over r <= 1000 of 2^(-(r - 1) / halflife),
        g(r) = (grade - min_rel) / (max_rel - min_rel)
    The paper's measure is not divided: that is of='ETU'.

    Examples
    --------
    Ranked 0 1: TBG(halflife=2.0,max_rel=1) = 2**(-1/2) * (1 - 2**(-1/2)) = 0.2071
    Ranked 0 1: TBG(halflife=2.0,max_rel=1,of='ETU') = 2**(-1/2) = 0.7071

    References
    ----------
    Smucker and Clarke 2012; cwl_eval 1.0.12, TBGCWLMetric.
    """
    return expected_by_topic(judged, partial(continuation.time_biased, halflife=halflife), **asked)


def u_measure(judged: Judged, L: float, **asked: Unpack[ExpectationOptions]) -> PerTopic:
    """U-measure per document: looking falls evenly to nothing behind `L`, a document taking 1.

    Parameters
    ----------
    L : float
        How much is looked at, in documents, above 0. cwl_eval's 1000 is in characters, for documents whose length is
        known: see `expectations`.
    min_rel, max_rel, gains, of, residual
        As of `expected_by_topic`.

    Returns
    -------
    float64 array of shape (T,), EU in [0, 1]; EU and ETU are 0 if nothing relevant was retrieved. A short list gains
    nothing after its end.

    Raises
    ------
    MeasureError
        If `min_rel` is not below `max_rel`.

    Notes
    -----
    sum over r < 1000 of g(r) max(0, 1 - (r - 1) / L), divided by the sum over r < 1000 of max(0, 1 - (r - 1) / L),
        g(r) = (grade - min_rel) / (max_rel - min_rel)
    The paper's measure is not divided, and discounts a document by the end of its text and not by its start.

    Examples
    --------
    Ranked 0 1 2: UMeasure(L=4.0,max_rel=2) = (0 + 3/4 * 1/2 + 2/4 * 1) / (1 + 3/4 + 2/4 + 1/4) = 0.3500

    References
    ----------
    Sakai and Dou 2013; cwl_eval 1.0.12, UMeasureCWLMetric.
    """
    return expected_by_topic(judged, partial(continuation.u_measure, L=L), **asked)
