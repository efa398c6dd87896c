"""Screenshots of the pages in a real browser: two for the README, or, with a folder as argument, all pages at three widths.

Run: python -m tests.service.pictures [FOLDER]
"""

import base64
import pathlib
import sys

from playwright.sync_api import Browser, Page

from tests.service.browsing import chromium, new_context
from tests.service.serving import ROOT, Server

IMAGES = ROOT / "docs" / "images"
WIDTHS = (390, 768, 1280)
LOG = """\
2026-03-02 10:14:21.103344: I tensorflow/core/common_runtime/gpu/gpu_device.cc:2021] Created device /job:localhost/replica:0/task:0/device:GPU:0 with 10240 MB memory:  -> device: 0, name: NVIDIA GeForce RTX 3080, pci bus id: 0000:01:00.0, compute capability: 8.6
Epoch 1/20
  1/782 [..............................] - ETA: 3:41:20
2026-03-02 10:14:33.481207: W external/local_tsl/tsl/framework/bfc_allocator.cc:482] Allocator (GPU_0_bfc) ran out of memory trying to allocate 1.53GiB (rounded to 1644167168)requested by op Conv2D
Traceback (most recent call last):
  File "train.py", line 41, in <module>
    model.fit(images, labels, batch_size=128, epochs=20)
  File "/usr/lib/python3/dist-packages/keras/src/utils/traceback_utils.py", line 122, in error_handler
    raise e.with_traceback(filtered_tb) from None
tensorflow.python.framework.errors_impl.ResourceExhaustedError: Graph execution error:

Detected at node model_1/conv2d_4/Conv2D defined at (most recent call last):
OOM when allocating tensor with shape[128,64,224,224] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc
\t [[{{node model_1/conv2d_4/Conv2D}}]]
"""
FACTS = '{"os": {"name": "linux"}, "python": {"version": "3.11.9"}, "packages": {"tensorflow": "2.16.1"}}'
NOTICE = """\
2026-03-02 10:14:21.103344: I tensorflow/core/util/port.cc:153] oneDNN custom operations are on. You may see slightly different numerical results due to floating-point round-off errors from different computation orders. To turn them off, set the environment variable `TF_ENABLE_ONEDNN_OPTS=0`.
Epoch 1/2
782/782 - 4s - 5ms/step - loss: 0.3512
Epoch 2/2
782/782 - 4s - 5ms/step - loss: 0.2107
"""
UNKNOWN = "the coffee machine on the second floor is broken again"
VAGUE = "training is slow"
MESSAGE = "ValueError: 'size' must be a 1-D Tensor of 2 elements: new_height, new_width"


def main() -> int:
    """Make the screenshots; the folder gets all pages."""
    with Server.real("--workers", "1") as server, chromium() as browser:
        if len(sys.argv) > 1:
            all_pages(browser, server, pathlib.Path(sys.argv[1]))
        else:
            for_readme(browser, server)
    return 0


def for_readme(browser: Browser, server: Server) -> None:
    """An answer on a desktop in the light theme, and on a phone in the dark one."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name, width, height, scheme, scale in (("desktop", 1280, 860, "light", 1.0), ("phone", 390, 844, "dark", 2.0)):
        context = new_context(
            browser,
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            device_scale_factor=scale,
        )
        page = context.new_page()
        ask(page, server, LOG, FACTS)
        # Chromium writes WebP, a third of a PNG's size here; Playwright offers only PNG and JPEG.
        shot = context.new_cdp_session(page).send("Page.captureScreenshot", {"format": "webp", "quality": 90})
        (IMAGES / f"answer-{name}.webp").write_bytes(base64.b64decode(shot["data"]))
        context.close()


def all_pages(browser: Browser, server: Server, folder: pathlib.Path) -> None:
    """Every page at three widths, in full length, in the light theme; the answer in the dark theme too."""
    folder.mkdir(parents=True, exist_ok=True)
    for scheme in ("light", "dark"):
        for width in WIDTHS:
            context = new_context(
                browser, viewport={"width": width, "height": 844}, color_scheme="dark" if scheme == "dark" else "light"
            )
            page = context.new_page()
            for name, text in (("answer", LOG), ("notice", NOTICE), ("unknown", UNKNOWN), ("vague", VAGUE), ("message", MESSAGE)):
                ask(page, server, text, FACTS if name == "answer" else "")
                page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True)
            for name, path in (("ask", "/"), ("missing", "/a/none-such-answer-here"), ("api", "/docs")):
                page.goto(server.url + path)
                page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True)
            context.close()


def ask(page: Page, server: Server, text: str, facts: str = "") -> None:
    """Paste, add facts, submit, and wait for the answer."""
    page.goto(server.url)
    page.locator("#text").fill(text)
    if facts:
        page.locator("details.facts > summary").click()
        page.locator("#facts").fill(facts)
    page.get_by_role("button", name="Find the cause").click()
    page.locator("#answer").wait_for()


if __name__ == "__main__":
    sys.exit(main())
