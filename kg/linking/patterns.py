"""Finding things whose type shows in the name: hardware by its product numbers, data sets by their head, and so on.

Patterns, not lists of names: they hold for products and data sets that no catalogue has yet.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from spacy.language import Language

from kg.linking.draft import Draft, Found, draft_of
from kg.linking.words import is_quantity
from kg.model import EntityType

if TYPE_CHECKING:
    from spacy.tokens import Doc

__all__ = ["DATASET_NAME", "find_patterns"]

_MAKER = (
    r"(?:(?:NVIDIA|Nvidia|nVidia|AMD|Intel|Google|Qualcomm|Apple|Huawei|Amazon|AWS|Xilinx|Samsung|ARM|Arm|Broadcom|"
    r"Cambricon|Cerebras|Graphcore|Groq|SambaNova|Tenstorrent|IBM|NVidia)(?:['’]s)?\s)"
)
_MEMORY = r"(?:[\s-](?:PCIe|SXM\d?|NVL|\d{2,3}\s?GB))?"
_PRODUCT = (
    # Data-centre and workstation boards.
    r"(?:Tesla\s|Quadro\s|GeForce\s|Instinct\s|Radeon\s(?:Pro\s|PRO\s)?){0,2}(?:RTX|"
    r"GTX)[\s-]?(?:PRO[\s-]|Pro[\s-])?A?\d{4}\s?(?:Ti|Super|SUPER|D|Ada|Blackwell)?|"
    r"(?:Tesla\s|Instinct\s)?(?:GB?[12]00|GB300|GH200|H[12]00|H800|H20|B[123]00|"
    r"A100|A800|A30|A40|A10G?|L40S?|L20|V100S?|P100|P40|K80|MI[123]\d\dX?A?|"
    r"A[2456]000|T4|L4|RX\s?\d{4}(?:\s?XTX?)?|W7900|910[BCD]?|TX[12])" + _MEMORY + r"|"
    r"TITAN\s(?:RTX|X|V|Xp)|Titan\s(?:RTX|X|V|Xp)|DGX[\s-](?:A100|H100|H200|B200|Spark|SuperPOD)|"
    # Accelerators, processors, boards.
    r"(?:Cloud\s)?TPU[\s-]?v\d[a-z]?(?:[\s-](?:\d{1,4}|Pod|pod))?|Edge\sTPU|"
    r"Trainium[\s-]?\d?|Inferentia[\s-]?\d?|Gaudi[\s-]?\d?|"
    r"Ascend(?:[\s-]\d{3}\w{0,2})?(?:\sNPUs?)?|Kunpeng(?:[\s-]\d{3})?|"
    r"Snapdragon(?:\s(?:X\s)?(?:Elite|Gen\s?\d|\d\w*)){0,3}|Hexagon|"
    r"Exynos(?:\s\d+)?|"
    r"Jetson(?:\s(?:AGX|Orin|Xavier|Nano|NX|Thor|TX[12]|Super)){0,3}|"
    r"Raspberry\sPi(?:\s(?:\d\w{0,2}|Zero|Pico)(?:\sW)?)?|"
    r"(?:Xeon|EPYC|Ryzen|Threadripper)(?:\s(?:Gold|Silver|Platinum|Phi|Max|AI|"
    r"\d[\w+]*))*|Core[\s-]?i[3579](?:-\w+)?|Core\sUltra(?:\s\d\w*)*|"
    r"Cortex-[AMR]\d+\w*|ESP32(?:-\w+)?|STM32\w*|nRF5\d+|Coral\s(?:Dev\sBoard|USB|"
    r"NPU)|(?:Zynq|Versal|Alveo|Virtex|Kintex|Stratix|Arria|"
    r"Agilex)(?:\s(?:UltraScale\+?|[A-Z]?\d\w*))*|"
    r"(?:ZCU|VCU|KV|PYNQ-?Z?)\d{2,4}|Loihi(?:\s?2)?|TrueNorth|SpiNNaker\s?2?|"
    r"Sapphire\sRapids|Emerald\sRapids|Granite\sRapids|Ice\sLake|"
    r"Grace[\s-]Hopper(?:\sSuperchip)?|Tensor\sCores?|NVLink(?:[\s-]C2C)?|NVSwitch|"
    r"InfiniBand|CXL(?:\s\d\.\d)?|HBM\d?[eE]?|"
    r"(?:MTIA|WSE-\d|CS-[23]|UPMEM|RDNA\s?\d|CDNA\s?\d|Wormhole|Kirin\s\d+\w*|Dimensity\s\d+)"
)
_HARDWARE = re.compile(
    rf"(?:(?<![\w.-])|(?<=\d[x×]))(?P<name>(?:{_MAKER})?(?:{_PRODUCT}))(?![\w@])(?!-(?!based|"
    rf"class|accelerated|hours|powered)\w)"
)
_MADE = re.compile(
    rf"(?<!\w)(?P<name>{_MAKER}(?:GPUs?\s)?(?:[A-Z][\w+-]*\d[\w+-]*|"
    rf"M[1-5](?:\s(?:Pro|Max|Ultra))?|Silicon|Vision\sPro|\d{{4}}(?:\s?Ti)?))(?!\w)"
)
_CHIP_HEAD = re.compile(
    r"(?<![\w-])(?P<name>(?:[A-Z][a-z]+\s)?[A-Z][A-Za-z]{0,8}-?\d{1,5}[A-Za-z]{0,3}|"
    r"Hopper|Blackwell|Ampere|Volta|Turing|Pascal|Ada Lovelace)"
    r"\s(?:Tensor\sCore\s)?(?:GPUs?|NPUs?|accelerators?|SoCs?|FPGAs?|CPUs?|"
    r"superchips?|supercomputer|microcontrollers?|MCUs?)(?!\w)"
)
_FPGA = re.compile(r"(?<![\w-])FPGAs?(?!\w)")
_COMPUTER = re.compile(r"(?<!\w)(?P<name>[A-Z][a-z]{3,})\s(?:exascale\s)?[Ss]upercomputers?(?!\w)")

_DATASET_HEAD = (
    r"(?:[Dd]ata\s?[Ss]ets?|[Bb]enchmarks?|[Cc]orpus|[Cc]orpora|[Tt]est\s[Ss]ets?|[Tt]estbeds?|[Ll]eaderboards?|"
    r"[Cc]hallenges?|[Bb]enchmark\s[Ss]uites?)"
)
_CAPITAL = r"[A-Z\d](?:[\w.+\-/]{0,60}[\w+])?"
_NAMED_DATA = re.compile(
    rf"(?<![\w-])(?P<name>{_CAPITAL}(?:\s(?:of\s)?{_CAPITAL}){{0,4}})\s(?:\([^()]{{2,20}}\)\s)?(?:public\s|"
    rf"test\s|image\s|video\s)?{_DATASET_HEAD}(?!\w)"
)
DATASET_NAME = re.compile(
    r".*(?:[Bb]ench|BENCH|QA|VQA|Eval|Corpus|Dataset|Arena|Gym|MNIST|ImageNet|CIFAR|"
    r"COCO|KITTI|GLUE|SQuAD|Wiki[A-Z]\w*|MMLU|GSM|TREC|MIMIC|"
    r"Exam|Challenge|Suite|Leaderboard|Tasks?|Bank|Set)(?:[-\s]?(?:\d[\w.]*|"
    r"[A-Z]\w*|v\d|Verified|Lite|Pro|Hard|Plus|XL))*"
)
"""Names that by their head or a well-known stem are names of data sets."""

_NO_DATA_WORDS = (
    "The This Our New A An Real-World Standard Public English Chinese Spanish French German Japanese Korean Arabic "
    "Hindi Russian Italian Vietnamese Portuguese Turkish Bengali European American African Indian Synthetic "
    "Multilingual Two Three Both All"
)
_NO_DATA = frozenset(_NO_DATA_WORDS.split())
_METRIC = re.compile(
    r"(?<![\w-])(?P<name>(?:(?:[Mm]acro|[Mm]icro|[Ww]eighted|"
    r"[Mm]ean)[\s-])?(?:F1(?:[\s-][Ss]cores?(?![\w]))?|F-?(?:score|measure)s?|"
    r"m?AP(?:@?\d{2}(?::\d+)?)?|mAP(?:@[\d.:]+)?|"
    r"m?IoU|AU(?:RO|PR)?C(?:-ROC|-PR)?|ROC[\s-]?AUC|PR[\s-]?AUC|AUC|PSNR|SSIM|LPIPS|"
    r"g?r?FID(?:-?\d+[kK])?|FVD|FPS|fps|[GTMP]?FLOPs|[TGP]FLOPS|MACs|BLEU(?:-?\d)?|"
    r"ROUGE(?:-?[L12])?|METEOR|CIDEr|SPICE|BERTScore|CLIP[\s-]?[Ss]core|WER|CER|EER|"
    r"R?MSE|MAE|MAPE|NDCG(?:@\d+)?|nDCG(?:@\d+)?|MRR(?:@\d+)?|"
    r"[Rr]ecall@\d+|[Pp]recision@\d+|[Hh]its?@\d+|R@\d+|[Pp]ass(?:@|\^)(?:\d+|k)|"
    r"[Tt]op-[15]\s(?:accuracy|error)|[Dd]ice(?:\s(?:score|coefficient|"
    r"similarity coefficient)s?)?|DSC|HD95|"
    r"MOTA|HOTA|IDF1|NDS|PCK|MPJPE|ADE|FDE|ATE|TTFT|TPOT|BPB|PESQ|STOI|MOS|UTMOS|"
    r"MCC|ECE|NMI|ARI|perplexity|Perplexity|PPL|"
    r"R\^?2|AUROC|AUPRC|FPR@?95|exact[\s-]match(?:\saccuracy)?|"
    r"[Ww]ord [Ee]rror [Rr]ates?|mean [Aa]verage [Pp]recision|frames per second|"
    r"tokens per second|"
    r"Cohen['’]s kappa|Spearman(?:['’]s)?(?:\s(?:correlation|rho|ρ))?|"
    r"Pearson(?:['’]s)?(?:\scorrelation)?|Kendall(?:['’]s)?(?:\s(?:tau|τ))?|"
    r"balanced accuracy|time[\s-]to[\s-]first[\s-]token|SLO attainment|"
    r"win[\s-]rates?|success rates?|attack success rates?|sample complexity))(?![\w@])(?!-[a-z])"
)
_TASK_HEAD = (
    "detection|segmentation|classification|recognition|answering|estimation|"
    "translation|summari[sz]ation|captioning|"
    "retrieval|reconstruction|prediction|forecasting|editing|tracking|localization|identification|completion|"
    "unlearning|inpainting|registration|serving|diagnosis|restoration|extraction|driving|navigation|generation|"
    "synthesis|repair|grounding|deblurring|dehazing|denoising|super-resolution|understanding|anomaly detection"
)
_TASK = re.compile(
    rf"(?<![\w-])(?P<name>(?P<first>[A-Za-z\d][\w\-]{{0,40}}[a-z\d])(?:\s[a-z][\w\-]{{0,40}}[a-z])?\s(?:{_TASK_HEAD}))(?![\w-])",
    re.IGNORECASE,
)
_NO_TASK = (
    "the a an for in of and or to on with our this that its their each any new novel more better robust accurate "
    "efficient fast real-time automatic automated improved end-to-end high-quality during by from as via no such "
    "than when which performance model models accurate reliable effective training data-driven based zero-shot "
    "large-scale consistent joint using existing current traditional classical "
    "enabling enhanced through both all is "
    "are be can improve improving approach framework method methods system without "
    "under while adaptive unified multi "
    "single first second initial overall average precise scalable direct simple complex challenging subsequent "
    "controllable guided conditional unsupervised supervised self-supervised weakly-supervised open-source across "
    "generalizable high-fidelity high-resolution diverse realistic photorealistic coherent final further deep "
)
_NO_TASK_WORDS = frozenset(_NO_TASK.split())
_TASK_WORD = re.compile(r"\b(?:tasks?|problems?)\b")

_NO_MODIFIER = re.compile(r"(?:ing|es|ly|ed|ful|ous|izes|ates|able)$")


@Language.component("kg_patterns")
def find_patterns(doc: Doc) -> Doc:
    """Add hardware, data sets, metrics and tasks that show their type to the Doc's draft."""
    draft = draft_of(doc)
    for part in draft.parts:
        begin, end = part.begin, part.end
        for pattern in (_HARDWARE, _MADE, _CHIP_HEAD, _COMPUTER):
            for match in pattern.finditer(draft.text, begin, end):
                _add(draft, *match.span("name"), EntityType.HARDWARE, 0.9 if pattern is _HARDWARE else 0.8)
        for match in _NAMED_DATA.finditer(draft.text, begin, end):
            _named_data(draft, match)
        for match in _METRIC.finditer(draft.text, begin, end):
            _add(draft, *match.span("name"), EntityType.METRIC, 0.7)
    _tasks(draft)
    return doc


def _add(draft: Draft, start: int, end: int, kind: EntityType, weight: float) -> None:
    if not draft.in_url(start, end):
        draft.found.append(Found(start, end, kind, weight, "pattern"))


def _named_data(draft: Draft, match: re.Match[str]) -> None:
    start, end = match.span("name")
    words = draft.text[start:end].split()
    if draft.sentence(start)[0] == start:
        if len(words) == 1 and words[0].isalpha() and words[0][1:].islower():
            return
        if words[0].isalpha() and words[0][1:].islower():
            start += len(words[0]) + 1
    if draft.text[start:end].split()[0] in _NO_DATA or is_quantity(draft.text[start:end]):
        return
    if draft.part_of(start).field == "title" and not any(word[1:] != word[1:].lower() for word in words):
        return
    _add(draft, start, end, EntityType.DATASET, 0.55)


def _tasks(draft: Draft) -> None:
    """Add phrases that name a task by their head, where the title or the word “task” says so, or they come again."""
    spans: list[tuple[int, int]] = []
    fields = (_TASK.finditer(draft.text, part.begin, part.end) for part in draft.parts)
    for match in chain.from_iterable(fields):
        start, end = match.span("name")
        while (space := draft.text.find(" ", start, end)) > 0 and draft.text[start:space].casefold() in _NO_TASK_WORDS:
            start = space + 1
        name = draft.text[start:end]
        if " " in name and not _NO_MODIFIER.search(name.split()[0]):
            spans.append((start, end))
    times = Counter(draft.text[start:end].casefold() for start, end in spans)
    for start, end in spans:
        around = draft.text[max(0, start - 30) : end + 20]
        again = times[draft.text[start:end].casefold()] > 1
        if again or draft.part_of(start).field == "title" or _TASK_WORD.search(around):
            _add(draft, start, end, EntityType.TASK, 0.4)
