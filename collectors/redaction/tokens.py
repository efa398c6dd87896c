"""Secrets that identify themselves: by a prefix, by their place in a URL or a header, or as a key of a particular program."""

import itertools
import re

from tfhelp.collectors.redaction.names import is_token
from tfhelp.collectors.redaction.rule import Rule

_BEFORE = r"(?<![A-Za-z0-9])"
_BEHIND = r"(?![A-Za-z0-9])"

# A prefix and what follows it. A letter or a digit before the prefix makes it a different word.
_PREFIXED = (
    r"(?:sk|pk|rk)[-_](?:live[-_]|test[-_]|proj-|ant-|or-|svcacct-|admin-|lf-)?(?=[A-Za-z_-]{0,120}[0-9])[A-Za-z0-9_-]{16,255}",
    r"AIza[\w-]{30,60}",
    r"ya29\.[\w-]{16,400}",
    r"GOCSPX-[\w-]{20,60}",
    r"1//0[\w-]{20,200}",
    r"pypi-[\w-]{16,400}",
    r"npm_[A-Za-z0-9]{30,60}",
    r"SG\.[\w-]{16,40}\.[\w-]{16,80}",
    r"do[por]_v1_[a-f0-9]{40,80}",
    r"nvapi-[\w-]{20,200}",
    r"r8_[A-Za-z0-9]{30,60}",
    r"gsk_[A-Za-z0-9]{20,120}",
    r"xai-[A-Za-z0-9_-]{20,160}",
    r"pplx-[A-Za-z0-9]{20,120}",
    r"tgp_v1_[\w-]{20,120}",
    r"fw_[A-Za-z0-9]{20,80}",
    r"csk-[a-z0-9]{20,120}",
    r"jina_[A-Za-z0-9_-]{20,120}",
    r"pcsk_[A-Za-z0-9_-]{20,160}",
    r"lsv2_(?:pt|sk)_[a-f0-9_]{20,120}",
    r"rpa_[A-Z0-9]{20,120}",
    r"(?:api_org|co_live)_[A-Za-z0-9]{20,120}",
    r"wandb_v1_[\w-]{20,160}",
    r"KGAT_[A-Za-z0-9_]{20,120}",
    r"dckr_(?:pat|oat)_[\w-]{16,120}",
    r"dapi[a-f0-9]{32}(?:-[0-9])?",
    r"(?:hvs|hvb|hvr)\.[\w-]{16,400}",
    r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{30,120}",
    r"gl(?:sa|c)_[A-Za-z0-9_=+/]{20,200}",
    r"(?:NRAK|NRJS|NRII)-[A-Za-z0-9-]{16,80}",
    r"sntr[ysu]{1,3}_[A-Za-z0-9+/=_-]{20,300}",
    r"AT(?:ATT|CTT|BB)[A-Za-z0-9_=-]{20,300}",
    r"(?:shpat|shpss|shpca|shppa)_[a-fA-F0-9]{20,80}",
    r"sq0(?:atp|csp)-[\w-]{16,80}",
    r"whsec_[A-Za-z0-9+/=]{16,120}",
    r"lin_api_[A-Za-z0-9]{20,80}",
    r"ntn_[A-Za-z0-9]{20,80}",
    r"figd_[\w-]{20,80}",
    r"PMAK-[a-f0-9-]{20,100}",
    r"pul-[a-f0-9]{30,80}",
    r"sbp_[a-f0-9]{30,80}",
    r"dp\.(?:pt|st|ct|sa)\.[A-Za-z0-9._-]{20,120}",
    r"ph[cx]_[A-Za-z0-9]{20,80}",
    r"rubygems_[a-f0-9]{30,80}",
    r"oy2[a-z0-9]{40,60}",
    r"tskey-[A-Za-z0-9-]{16,120}",
    r"FlyV1 fm[0-9]_[A-Za-z0-9+/=,_]{20,900}",
    r"HRKU-[A-Za-z0-9_-]{20,120}",
    r"AGE-SECRET-KEY-1[A-Z0-9]{40,80}",
    r"(?:CFPAT|ops_eyJ)[A-Za-z0-9_-]{20,900}",
    r"[0-9]{8,10}:AA[A-Za-z0-9_-]{30,40}",
    r"(?:SK|AC)[a-f0-9]{32}",
    r"key-[a-f0-9]{32}",
    r"[A-Za-z0-9_~.-]{3}8Q~[A-Za-z0-9_~.-]{30,40}",
    r"tvly-[A-Za-z0-9-]{20,80}",
    r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}",
    r"LTAI[A-Za-z0-9]{12,24}",
    r"AKID[A-Za-z0-9]{32}",
    r"xkeysib-[A-Za-z0-9-]{40,120}",
    r"sl\.(?:u\.)?[\w-]{100,1500}",
    r"secret_(?=[A-Za-z]{0,42}[0-9])[A-Za-z0-9]{43}",
    r"pscale_(?:tkn|pw|oauth)_[\w.-]{30,80}",
    r"GR1348941[\w-]{20,40}",
    r"sgp_(?:[a-f0-9]{16}_)?[a-f0-9]{40}",
    r"LS0tLS1CRUdJTi[A-Za-z0-9+/]{20,16000}={0,2}",  # "-----BEGIN " in base64: the keys of a kubeconfig
)
_PREFIX_SIGN = (
    r"(?:sk|pk|rk)[-_][\w-]{16}|AIza|ya29\.|GOCSPX-|1//0|pypi-[\w-]{16}|npm_[A-Za-z0-9]{8}|SG\.[\w-]{16}|do[por]_v1_|nvapi-|"
    r"r8_[A-Za-z0-9]{8}|gsk_|xai-|"
    r"pplx-|tgp_v1_|fw_[A-Za-z0-9]{8}|csk-|jina_|pcsk_|lsv2_|rpa_[A-Z0-9]{8}|api_org_|co_live_|wandb_v1_|KGAT_|dckr_|"
    r"dapi[a-f0-9]{8}|hv[sbr]\.|"
    r"\.atlasv1\.|gl(?:sa|c)_|NR(?:AK|JS|II)-|sntr[ysu]+_|AT(?:ATT|CTT|BB)|shp(?:at|ss|ca|pa)_|sq0(?:atp|csp)-|whsec_|"
    r"lin_api_|ntn_|figd_|"
    r"PMAK-|pul-[a-f0-9]{8}|sbp_|dp\.(?:pt|st|ct|sa)\.|ph[cx]_[A-Za-z0-9]{8}|rubygems_|oy2[a-z0-9]{8}|tskey-|FlyV1|HRKU-|"
    r"AGE-SECRET|CFPAT|ops_eyJ|[0-9]{8}:AA|"
    r"(?:SK|AC)[a-f0-9]{8}|key-[a-f0-9]{8}|8Q~|"
    r"tvly-|pat[A-Za-z0-9]{14}\.|LTAI|AKID|xkeysib-|sl\.[\w.-]{50}|secret_[A-Za-z0-9]{20}|pscale_|GR1348941|sgp_|LS0tLS1CRUdJTi"
)

RULES: tuple[Rule, ...] = (
    Rule(("ACCOUNT", "RESOURCE"), r"arn:aws", r"\barn:aws[\w-]{0,10}:[\w-]{1,30}:[\w-]{0,20}:([0-9]{12}):([\w./:+=@*-]{1,300})"),
    Rule(
        ("GITHUB-TOKEN",),
        r"gh[pousr]_[A-Za-z0-9]{16}|github_pat_",
        rf"{_BEFORE}(gh[pousr]_[A-Za-z0-9]{{16,255}}|github_pat_[A-Za-z0-9_]{{16,255}})",
    ),
    Rule(("API-KEY",), r"tfhelp_[\w-]{43}", rf"{_BEFORE}(tfhelp_[\w-]{{43,60}})"),
    Rule(
        ("GITLAB-TOKEN",),
        r"gl[a-z]{2,6}-[\w-]{16}",
        rf"{_BEFORE}(gl(?:pat|dt|rt|ptt|cbt|ft|imt|agent|oas|ffct|soat)-[\w-]{{16,255}})",
    ),
    Rule(
        ("SLACK-TOKEN",),
        r"xox[a-z]-|xoxe\.|xapp-",
        rf"{_BEFORE}((?:xoxe\.)?xox[a-z]-[A-Za-z0-9-]{{8,255}}|xapp-[A-Za-z0-9-]{{8,255}})",
    ),
    Rule(
        ("SLACK-TOKEN",),
        r"hooks\.slack(?:-gov)?\.com/",
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{8,255})",
    ),
    Rule(
        ("SECRET",),
        r"(?i)webhook|/bot[0-9]",
        r"(?:discord(?:app)?\.com/api/webhooks/|[\w.-]{0,60}webhook\.office\.com/|outlook\.office\.com/webhook/|"
        r"api\.telegram\.org/bot)([\w:@/-]{16,400})",
    ),
    Rule(("HF-TOKEN",), r"hf_[A-Za-z0-9]{16}", rf"{_BEFORE}(hf_[A-Za-z0-9]{{16,255}})"),
    Rule(
        ("AWS-KEY",),
        r"A(?:KIA|SIA|ROA|IDA|GPA|NPA|BIA|CCA)[A-Z0-9]{16}",
        rf"{_BEFORE}(A(?:KIA|SIA|ROA|IDA|GPA|NPA|BIA|CCA)[A-Z0-9]{{16}}){_BEHIND}",
    ),
    Rule(
        ("JWT",),
        r"eyJ",
        r"(?<![\w.-])(eyJ[\w-]{6,4000}\.[\w-]{6,8000}(?:\.[\w-]{0,2000})?|eyJ[A-Za-z0-9+/_-]{30,8000}={0,2})",
        flags=re.ASCII,
    ),
    Rule(("API-KEY",), _PREFIX_SIGN, rf"(?<![\w])(?<!\w-)({'|'.join(_PREFIXED)}){_BEHIND}", flags=re.ASCII),
    Rule(
        ("BEARER",),
        r"(?i)bearer|authorization",
        r"(?:\bBearer[ \t]{1,4}|Authorization\\{0,3}['\"]?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,3}['\"]?"
        r"(?:(?:Basic|Token|ApiKey|Digest|Key|Bot|GenieKey|SSWS)[ \t]{1,4})?)(?!Bearer)([\w.~+/=:-]{6,4000})",
        lambda found: is_token(found[1]) or not re.search(r"[0-9=]|[a-z][A-Z]", found[1]),
        re.ASCII | re.IGNORECASE,
    ),
    Rule(
        ("CREDENTIALS",),
        r"://[^\s/]*(?:@|[^\s]*@[\w\[])",
        # A password may hold an "@" or a "/" that is not escaped: the host follows the last "@". The first repeat has no bound: it
        # ends before the next "://", and a bound would leave the rest of a longer password to later passes, which are counted.
        # No "://" is part of a password, for the same reason.
        r"://([^\s/\"'<>]+|[^\s/@:\"'<>]{0,100}:(?![0-9]{1,5}/)(?:[^\s@:\"'<>]|:(?!//)){1,200})@(?=[\w\[])",
        lambda found: is_token(found[1]) or found[1] == "git",
    ),
    Rule(
        ("USER", "SECRET"),
        r"jdbc:oracle:",
        r"jdbc:oracle:[a-z]{2,8}:([^\s/@:\"']{1,64})/([^\s@/\"']{1,200})@",
        lambda found: is_token(found[2]),
    ),
    Rule(
        ("SECRET",),
        r"(?i)[?&;](?:amp;)?[\w%-]{0,40}(?:signature|credential|token|sig|key|code|keyid|accessid)=",
        r"[?&;](?:amp;)?(?:X-(?:Amz|Goog)-(?:Signature|Credential|Security-Token)|Signature|sig|[\w-]{0,20}token|"
        r"[\w-]{0,20}key|code|AWSAccessKeyId|GoogleAccessId)"
        r"=([^&\s\"'<>#\\]{6,2000})",
        lambda found: is_token(found[1]),
        re.ASCII | re.IGNORECASE,
    ),
    Rule(
        ("SECRET",),
        r"(?i)cookie",
        r"(?:Set-)?Cookie\\{0,3}['\"]?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}['\"]?([\w.%-]{1,80}=[^\"'\n]{1,4000})",
        lambda found: is_token(found[1].rstrip("\\")),
        re.IGNORECASE,
    ),
    # What stands near such a word. The run has no bound, so that no later pass finds a rest of it: no match begins inside a run. A token
    # of ours is no such word: each pass would find one run more.
    Rule(
        ("SECRET",),
        r"(?i)(?:token|key|secret|credential|auth|login|passw)[^\n]{0,60}(?:[A-Fa-f0-9]{32}|[A-Za-z0-9_+/=-]{24})",
        r"(?!(?-i:SECRET|CREDENTIALS|API-KEY|TOKEN)-[0-9])(?:token|api[ _-]?key|access[ _-]?key|secret|credential|paste|"
        r"passw)[^\n/]{0,60}?(?<![\w/.+=@:$-])([A-Za-z0-9_+/=-]{24,})(?![\w/.])",
        lambda found: not looks_drawn(found[1]),
        re.IGNORECASE,
    ),
    # A password as /etc/shadow and .htpasswd hold it.
    Rule(
        ("SECRET",),
        r"\$(?:1|2[abxy]?|5|6|y|apr1|argon2[id]{0,2})\$[\w./$,=+-]{20}",
        r"(?<![\w$])(\$(?:1|2[abxy]?|5|6|y|apr1|argon2[id]{0,2})\$[\w./$,=+-]{20,200})",
        flags=re.ASCII,
    ),
    Rule(
        ("PUBLIC-KEY",),
        r"ssh-[a-z0-9]|ecdsa-sha2|sk-ssh",
        r"\b(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp[0-9]{3}|sk-ssh-ed25519@openssh\.com) (AAAA[A-Za-z0-9+/=]{20,2000}(?:"
        r" [\w.@+-]{1,100})?)",
    ),
    Rule(
        ("PUBLIC-KEY",),
        r"(?:SHA256|MD5):",
        r"\b(?:SHA256:([A-Za-z0-9+/]{43}=?)|MD5:((?:[0-9a-f]{2}:){15}[0-9a-f]{2}))(?![A-Za-z0-9])",
    ),
)
RULES[-1].kinds = ("PUBLIC-KEY", "PUBLIC-KEY")


def looks_drawn(text: str) -> bool:
    """Whether a run of letters and digits is random: it mixes them as no name or number does.

    >>> looks_drawn("3f9a0c1b2d4e5f60718293a4b5c6d7e8"), looks_drawn("block_1a_conv2d_transpose_3")
    (True, False)
    """
    if is_token(text):
        return False
    digits = sum(character.isdigit() for character in text)
    if not digits or digits == len(text):
        return False
    if re.fullmatch(r"[0-9a-fA-F]{32,}", text):
        return True
    changes = sum(_class(first) != _class(second) for first, second in itertools.pairwise(text))
    return digits >= 2 and changes >= len(text) / 3 and len(set(text)) >= 10


def _class(character: str) -> int:
    return 0 if character.isdigit() else 1 if character.islower() else 2 if character.isupper() else 3
