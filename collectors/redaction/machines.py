"""Data that identifies a machine: addresses, host names, serial numbers, and cloud accounts."""

import re

from tfhelp.collectors.lazy_pattern import Pattern
from tfhelp.collectors.redaction.names import is_token
from tfhelp.collectors.redaction.rule import Rule

_HOST = r"[A-Za-z0-9][A-Za-z0-9_.-]{0,100}"

# What precedes four numbers that are a version: "cudnn 8.9.4.25", "==4.5.1.48", "libcudnn.so.8.0.5.39", "(1.2.3.4".
_VERSION_BEFORE = Pattern(
    r"(?:[=<>~!]=|\bversion|\bversions|\bver|_version|_ver|release|driver|cuda|cudnn|nccl|tensorrt|\brt|cublas\w*|\.so\.|"
    r"[-_]cu[0-9]{2}|\bv|[a-zA-Z][\w.]{0,40}-|"
    r"(?:nvidia|opencv|tensor|\blib|cuda|pillow|torch|\btf|intel|mkl|onednn|python|\bpip|numpy|chrome|java|jdk|\bopen|glibc|"
    r"gcc|windows)[\w.-]{0,40})"
    r"(?:\s(?:is|of|was|number))?[\s:='\"(\[@v]{0,40}$",
    re.IGNORECASE,
)
_NETWORK_BEFORE = Pattern(
    r"(?:ip-|ipv4:|https?://|grpc://|://|@|(?:server|host|addr|address|_ip|\bip|master|chief|worker|gateway|endpoint|url|"
    r"proxy|node|listen|bind|remote|peer|client|ssh|ping|inet|to|from)"
    r"[\"']?[ ]?[=:]?[ ]?[\"']?)$",
    re.IGNORECASE,
)
_PACKAGE_ROW = Pattern(r"^\s{0,8}([A-Za-z][\w.-]{1,60})(?:\s{2,80}|\t{1,8}|=)$", re.ASCII)
_NETWORK_WORDS = Pattern(
    (
        r"(?:inet|inet6|addr|address|host|server|ping|ssh|curl|wget|ip|node|nameserver|gateway|netmask|broadcast|bind|listen|"
        r"connect|worker|peer|dns|hostname|from|to|at|via|master|client|remote|local|endpoint|target|url|proxy)"
    ),
    re.IGNORECASE,
)
_VERSION_BEHIND = Pattern(
    r"(?:[-+_~][0-9]{0,6}\+?(?:cuda|cu[0-9]|ubuntu|deb|post|dev|rc|py|cp|linux|win|el[0-9])|\.(?:tar|zip|whl|deb|rpm|exe|"
    r"run|post|dev))",
    re.IGNORECASE,
)
# Hosts of public services; the diagnosis needs to know which of them cannot be reached.
_EVERYBODYS = Pattern(
    r"(?:[\w-]{1,63}\.){0,6}(?:googleapis\.com|google\.com|github\.com|githubusercontent\.com|gitlab\.com|pypi\.org|"
    r"pythonhosted\.org|python\.org|huggingface\.co|hf\.co|"
    r"tensorflow\.org|keras\.io|amazonaws\.com|nvidia\.com|anaconda\.org|anaconda\.com|conda\.io|kaggle\.com|docker\.io|"
    r"docker\.com|gcr\.io|quay\.io|apache\.org|wandb\.ai|"
    r"debian\.org|ubuntu\.com|openai\.com|microsoft\.com|azure\.com|windows\.net|example\.com|example\.org|toronto\.edu|"
    r"stanford\.edu|yann\.lecun\.com)|metadata\.google\.internal",
    re.IGNORECASE | re.ASCII,
)
_NO_HOST = Pattern(
    (
        r"(?:the|a|an|any|this|that|your|it|all|remote|and|or|of|for|in|on|port|address|addresses|localhost|server|peer|any|"
        r"host)"
    ),
    re.IGNORECASE,
)


def _is_no_address(found: re.Match[str]) -> bool:
    """Loopback addresses and masks identify no machine; four numbers in a version's place are a version."""
    numbers = [int(part) for part in found[1].split(".")]
    if max(numbers) > 255 or numbers[0] == 127 or numbers == [0, 0, 0, 0] or numbers[0] == 255 or numbers == [8, 8, 8, 8]:
        return True
    text, start = found.string, found.start()
    before = text[max(0, start - 100) : start]
    if _NETWORK_BEFORE.search(before[-24:]):
        return False
    if _VERSION_BEFORE.search(before[-40:]) or _VERSION_BEHIND.match(text, found.end()):
        return True
    row = _PACKAGE_ROW.match(before)
    return row is not None and not _NETWORK_WORDS.fullmatch(row[1]) and not re.search(r"(?i)ip$|addr|host|server", row[1])


def _is_no_ipv6(found: re.Match[str]) -> bool:
    """Eight groups, or fewer with one gap, are an address; a C++ name such as ``add::bad`` or a time of day is not."""
    address = found[1]
    groups = address.split(":")
    filled = [group for group in groups if group]
    if any(len(group) > 4 for group in groups) or not 1 <= len(filled) <= 8:
        return True
    if address.count("::") == 1 and ":::" not in address:
        if len(filled) >= 8 or address == "::1":
            return True
        local = re.match(r"(?:fe[89ab][0-9a-f]|f[cd][0-9a-f]{2}|2[0-9a-f]{3}|64)$", filled[0], re.IGNORECASE)
        return not (local or (len(filled) >= 3 and any(character.isdigit() for character in address)))
    return "::" in address or len(groups) != 8 or "" in groups


def _is_no_internal_name(found: re.Match[str]) -> bool:
    """``threading.local`` is Python; a host name of that form has a digit, a hyphen or a port."""
    name = found[1]
    if name.lower().endswith((".cluster.local", ".ec2.internal", ".localdomain")):
        return False
    return not re.search(r"[0-9-]", name) and not re.match(r":[0-9]{2,5}\b", found.string[found.end() : found.end() + 7])


def _is_no_host(found: re.Match[str]) -> bool:
    """The rule for addresses handles addresses; a public service identifies no machine."""
    name = found[1]
    if re.fullmatch(r"[0-9.]{1,60}", name) or _NO_HOST.fullmatch(name):
        return True
    return _EVERYBODYS.fullmatch(name) is not None


_NO_MACHINE = Pattern(
    r"(?:[0-9]{1,4}|multi|single)-(?:gpus?|cpus?|tpus?|nodes?|workers?|cores?)|(?:gpu|cpu|tpu|cuda|python|ubuntu|debian|"
    r"centos|rhel|windows|win|linux|macos|tensorflow|tf|keras)[_-]?v?(?:[0-9][0-9.]{0,8}(?:-[0-9]{1,4})?|x86_64)?",
    re.IGNORECASE,
)


def _is_plain_word(found: re.Match[str]) -> bool:
    """In a sentence, any word may take a host's place: a machine's name has a digit, a dot, a hyphen, or a port."""
    if _is_no_host(found):
        return True
    if re.fullmatch(r"[A-Z][a-z]+[0-9A-Z]\w*", found[1]):
        return True  # an operation of a graph
    port = re.match(r"[\"']?[ ]?(?::|port |, port=)[ ]?[0-9]{2,5}", found.string[found.end() : found.end() + 20])
    if _NO_MACHINE.fullmatch(found[1]):
        return True
    # No host name has an underscore, but nodes of a graph and tables do.
    if not port and re.match(r"node[ =]|lookup ", found[0]) and re.fullmatch(r"[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+", found[1]):
        return True
    return not port and not re.search(r"[0-9-]|\.\w", found[1])


_ERRORS = (
    r"(?:[Ff]ailed|[Uu]nable|[Cc]ould not|[Cc]annot|[Cc]an't|[Cc]ouldn't) (?:to )?(?:connect|resolve|reach|ping|"
    r"ssh)(?: to)?(?: (?:the )?(?:remote )?(?:[Hh]ost(?:name)?|server|node|address|peer))?:? ?|"
    r"(?:connect to|[Nn]o route to|[Ll]ost connection to|[Cc]onnection (?:to|from|refused by|closed by|reset by|"
    r"timed out to)|[Cc]onnecting to|[Ll]istening on|"
    r"[Rr]esolving|getaddrinfo(?: failed)? for|lookup|[Tt]rying to reach|[Hh]eartbeat from|[Ll]ost node|[Ss]cheduled (?:on|"
    r"to)|[Rr]unning on|[Nn]odes? unreachable:)(?: (?:the )?(?:host|server|node|machine|worker at))?:? |"
    r"[Nn]ame or service not known:? |getaddrinfo: |(?:HTTPS?ConnectionPool|HTTPConnection)\(host=|\bssh: connect to host |"
    r"\b[Hh]ost key verification failed for |"
    r"\b(?:dial tcp|lookup) |(?<!\{\{)(?<!\{)\bnode[ =]|\bon host |\bhost "
)

RULES: tuple[Rule, ...] = (
    Rule(
        ("HOST",),
        r"(?i)host|node|master_addr|chief|machine|computername|server_name",
        rf"(?:for host: |\b[Hh]ost_?[Nn]ame\\{{0,3}}['\"]?[ \t]{{0,20}}[:=][ \t]?\\{{0,3}}['\"]?|\bStatic hostname: |"
        rf"\bComputerName: |\bCOMPUTERNAME=|\b(?:HOST|DB_HOST|PGHOST|REDIS_HOST|MYSQL_HOST)(?:NAME)?=[\"']?|"
        rf"\bnode(?:name)?='|"
        rf"\bNodeList=|\bNodeName=|\bBatchHost=|\bnode_name[=:] ?|\bSLURM[A-Z]{{0,4}}_(?:JOB_)?(?:NODELIST|NODENAME|"
        rf"SUBMIT_HOST|LAUNCH_NODE_IPADDR)=|"
        rf"\b(?:MASTER|CHIEF|HEAD|COORDINATOR|LEADER|WORKER|PS|RAY|RANK)_?(?:0_)?(?:ADDR|ADDRESS|HOST|IP|NODE|NODE_IP|"
        rf"SERVICE_HOST|HEAD_IP)\\{{0,3}}[\"']?[ ]?[=:][ ]?\\{{0,3}}[\"']?|"
        rf"--(?:master[_-]addr|rdzv[_-]endpoint|head[_-]node|coordinator[_-]address|hosts?|hostname|"
        rf"server)[ =][\"']?)({_HOST}[A-Za-z0-9_.-]*(?:\[[0-9,-]{{1,60}}\])?)",
        _is_no_host,
        flags=re.ASCII,
    ),
    Rule(
        ("HOST",),
        r"(?:mpirun|horovodrun|mpiexec|--hosts?|-H)[ =].*:[0-9]",
        rf"(?:(?<=-H )|(?<=--host )|(?<=--hosts )|(?<=--host=)|(?<=,))({_HOST}):[0-9]{{1,3}}(?=[,\s]|$)",
        _is_no_host,
        flags=re.ASCII,
    ),
    Rule(
        ("HOST",),
        r"(?:Linux|Darwin) [A-Za-z0-9]",
        rf"\b(?:Linux|Darwin) ({_HOST}) [0-9]{{1,2}}\.[0-9]{{1,3}}(?:\.[0-9]{{1,4}})?(?:[-+.]\S{{1,60}})? (?:#|Darwin)",
        flags=re.ASCII,
    ),
    Rule(
        ("HOST",),
        r"srun: | ON |slurmstepd|slurmd",
        rf"(?:\bsrun: error: |\b(?:JOB|STEP) [\w.]{{1,40}} ON |\bslurm(?:step)?d-)({_HOST})(?=:| CANCELLED|\s)",
        flags=re.ASCII,
    ),
    Rule(
        ("HOST",),
        r"[A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2} \S+ [A-Za-z]",
        rf"(?:^|(?<=[>|] ))[A-Z][a-z]{{2}} [ 0-9][0-9] [0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}} ({_HOST}) (?:kernel|systemd|sshd|"
        rf"CRON|dockerd|containerd|kubelet|slurmd|sudo|python3?|nvidia-[a-z]{{1,20}})(?:\[[0-9]{{1,9}}\])?:",
        flags=re.ASCII,
    ),
    Rule(
        ("HOST",),
        r"(?:grpc://|-> |target: |://[^/\s]*:[0-9])",
        rf"(?:grpc://|-> |target: |\bhttps?://(?=[\w-]{{1,63}}(?:\.[\w-]{{1,63}}){{0,5}}:[0-9]))({_HOST}):[0-9]{{2,5}}(?![\w:])",
        _is_no_host,
        re.ASCII,
    ),
    Rule(
        ("HOST",),
        r"[\"'][A-Za-z0-9_.-]+:[0-9]{3,5}\\*[\"']",
        rf"(?:^\s{{0,40}}|(?<=[\[,{{:])[ ]?|(?<=cluster)[^\n]{{0,400}}?|\\)[\"']({_HOST}):[0-9]{{3,5}}(?=\\{{0,3}}[\"'])",
        _is_no_host,
        re.ASCII,
    ),
    Rule(
        ("HOST",),
        r"[A-Za-z0-9]\.(?:internal|local|lan|corp|intra|intranet|localdomain|svc|cluster)",
        r"(?<![\w.@/-])((?:[A-Za-z0-9_-]{1,63}\.){1,8}(?:internal|local|lan|corp|intra|intranet|localdomain|svc))(?![\w(-]|\.\w)",
        lambda found: _is_no_internal_name(found) or _is_no_host(found),
        re.ASCII,
    ),
    Rule(
        ("HOST",),
        r"(?:ec2|ip)-[0-9]",
        r"(?<![\w.-])((?:ec2|ip)-[0-9]{1,3}-[0-9]{1,3}-[0-9]{1,3}-[0-9]{1,3}(?:\.[\w.-]{1,100}\w)?)",
        flags=re.ASCII,
    ),
    Rule(
        ("HOST",),
        r"(?i)connect|resolv|reach|route to|getaddrinfo|lookup|listening|service not known|connectionpool|node|host|"
        r"heartbeat|scheduled|running on|dial tcp",
        rf"(?:{_ERRORS})[\"']?({_HOST}[A-Za-z0-9])(?![\w(=/])",
        _is_plain_word,
        re.ASCII,
    ),
    Rule(
        ("ACCOUNT",),
        r"(?i)account|dkr\.ecr|/subscriptions/|tenant|subscription|project_?number",
        r"(?:\b(?:aws_?)?account(?:_?id| id| number|s)?\\{0,3}[\"']?[ ]?[:=]?[ ]?\\{0,3}[\"']?|/subscriptions/|\b(?:tenant|"
        r"subscription|directory)[ _-]?id\\{0,3}[\"']?[ ]?[:=][ ]?\\{0,3}[\"']?|"
        r"\bproject_?number[\"']?[ ]?[:=][ ]?[\"']?)([0-9]{10,12}(?![0-9])|"
        r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})",
        flags=re.IGNORECASE | re.ASCII,
    ),
    Rule(("ACCOUNT",), r"[0-9]{12}\.dkr\.ecr", r"(?<![0-9])([0-9]{12})(?=\.dkr\.ecr)"),
    Rule(
        ("GPU-UUID",),
        r"(?:GPU|MIG)-(?:GPU-)?[0-9a-fA-F]{8}-",
        r"(?<![\w])((?:MIG-)?(?:GPU|MIG)-[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?:/[0-9"
        r"]{1,2}/[0-9]{1,2})?)(?![\w])",
    ),
    Rule(
        ("SERIAL",),
        r"(?i)serial",
        r"\bserial(?:[ _-]?(?:number|no|nr))?\.?(?:\\{0,3}[\"'])?[ \t]{0,40}(?:\(system\))?[:=#][ \t]{0,8}(?:\\{0,3}[\"'])?("
        r"?=[A-Za-z-]{0,20}[0-9])([A-Za-z0-9-]{6,40})(?![\w(.])",
        lambda found: is_token(found[1]),
        re.IGNORECASE | re.ASCII,
    ),
    Rule(
        ("MACHINE-ID",),
        r"(?i)(?:machine|boot|product|system|hardware|host|device|installation)[ _-]?(?:uu)?id",
        r"\b(?:machine|boot|product|system|hardware|host|device|installation)[ _-]?(?:uu)?id(?:\\{0,3}[\"'])?[ \t]{0,8}[:=]?"
        r"[ \t]{0,8}(?:\\{0,3}[\"'])?"
        r"([0-9a-fA-F]{32}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})(?![\w])",
        flags=re.IGNORECASE | re.ASCII,
    ),
    Rule(
        ("MAC",),
        r"[0-9a-fA-F]{2}[:-][0-9a-fA-F]{2}[:-][0-9a-fA-F]{2}[:-]",
        r"(?<![\w:-])([0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}|[0-9a-fA-F]{2}(?:-[0-9a-fA-F]{2}){5})(?![\w:-])",
        flags=re.ASCII,
    ),
    Rule(
        ("IP",),
        r"[0-9]\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]",
        r"(?<![\w.])([0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3})(?![\w]|\.[0-9])",
        _is_no_address,
        re.ASCII,
    ),
    Rule(
        ("IP",),
        r"::|[0-9a-fA-F]:[0-9a-fA-F]{1,4}:[0-9a-fA-F]{1,4}:",
        r"(?:(?<=ipv6:)|(?<![\w:.]))([0-9a-fA-F:]{2,39}:[0-9a-fA-F:]{0,39})(?![\w:.])",
        _is_no_ipv6,
        re.ASCII,
    ),
)
