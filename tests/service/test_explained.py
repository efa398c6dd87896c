"""If no entry fits: who raises the message, in which releases, with which values, and which of the reader's lines led there."""

import io
import json
import subprocess
import sys
import typing

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.service.serving import Server
from tfhelp.collectors.reading import read
from tfhelp.kb.atlas import atlas
from tfhelp.kb.atlas.store import AtlasError
from tfhelp.service.diagnosis import explained
from tfhelp.service.diagnosis.diagnoser import Diagnoser
from tfhelp.service.diagnosis.explained_here import Here
from tfhelp.service.doors.cli.terminal import show_answer
from tfhelp.service.doors.slack.blocks import answer_blocks

Json = dict[str, typing.Any]

SUBSET = 'ValueError: `subset` must be either "training" or "validation", received: <b>both</b>'
TRACEBACK = """\
Traceback (most recent call last):
  File "/home/me/train.py", line 31, in <module>
    small = tf.image.resize(picture, [1, 2, 3])
  File "/usr/lib/python3.11/site-packages/tensorflow/python/util/traceback_utils.py", line 153, in error_handler
    raise e.with_traceback(filtered_tb) from None
  File "/usr/lib/python3.11/site-packages/tensorflow/python/ops/image_ops_impl.py", line 1474, in _resize_images_common
    raise ValueError('\\'size\\' must be a 1-D Tensor of 2 elements: '
ValueError: 'size' must be a 1-D Tensor of 2 elements: new_height, new_width
"""


@pytest.fixture(scope="module")
def diagnoser() -> Diagnoser:
    return Diagnoser.load(warm=True)


def told(text: str) -> typing.Any:
    return explained.explain(read(text).records)


def test_a_traceback_gives_place_releases_and_the_readers_line(diagnoser: Diagnoser) -> None:
    answer = diagnoser.diagnose(TRACEBACK)
    assert (answer["verdict"], answer["abstained"], answer["matches"]) == ("explained", True, [])
    found = answer["explained"]
    assert (found["package"], found["function"], found["confirmed"]) == ("tensorflow", "_resize_images_common", True)
    assert found["your_line"] == {
        "file": "/home/me/train.py",
        "line": 31,
        "source": "small = tf.image.resize(picture, [1, 2, 3])",
        "called": "tf.image.resize",
    }
    assert "Your line /home/me/train.py:31 called tf.image.resize." in found["says"]
    assert any("TensorFlow 1.15 or older to 2.21" in says for says in found["says"])


def test_values_are_named_as_the_source_names_them() -> None:
    found = told(SUBSET)
    assert found["values"] == [{"name": "subset", "text": "<b>both</b>"}]
    assert not found["confirmed"]
    assert found["others"], "several functions say this, and no traceback tells which it was"
    assert "can raise" in found["says"][0]


@pytest.mark.parametrize(
    "text",
    [
        "AttributeError: 'Walrus' object has no attribute 'tusk'",
        "TypeError: mel() takes 0 positional arguments but 5 were given",
        "TypeError: 'module' object is not callable",
        "RuntimeError: CUDA error: device-side assert triggered",
        "AttributeError: walrus.'tusk' does not exist",
        "AssertionError: the walrus's tusk cannot be None",
        "KeyError: `sequence_stride` must be a positive integer. Received: sequence_stride=3",
        "django.db.utils.OperationalError: no such table: auth_user",
        TRACEBACK.replace("tensorflow/python/util", "pandas/core").replace(
            "tensorflow/python/ops/image_ops_impl", "pandas/core/frame"
        ),
        'Traceback (most recent call last):\n  File "mine.py", line 3, in check\n    raise ValueError("no")\n' + SUBSET,
    ],
)
def test_what_is_not_of_tensorflow_or_keras_is_not_explained(text: str) -> None:
    assert told(text) is None


def test_a_traceback_of_another_place_refutes_the_message() -> None:
    elsewhere = TRACEBACK.replace("ops/image_ops_impl", "data/ops/dataset_ops").replace("_resize_images_common", "batch")
    assert (told(elsewhere)["function"], told(elsewhere)["only_place"]) == ("batch", "raised")
    other_release = TRACEBACK.replace("_resize_images_common", "resize_images")
    assert told(other_release)["function"] == "_resize_images_common"


def test_a_message_of_an_old_release_is_explained_by_its_place() -> None:
    old = TRACEBACK.replace("ops/image_ops_impl", "ops/image_ops").replace("_resize_images_common", "resize_images")
    found = told(old)
    assert (found["only_place"], found["module"], found["function"]) == (
        "raised",
        "tensorflow.python.ops.image_ops",
        "resize_images",
    )
    assert "_resize_images_common" in found["says"][0]
    assert found["your_line"]["called"] == "tf.image.resize"


INSIDE = """\
Traceback (most recent call last):
  File "/home/me/train.py", line 12, in <module>
    model.add(Reshape((3, None)))
  File "/usr/lib/python3.8/site-packages/tensorflow/python/keras/layers/core.py", line 500, in compute_output_shape
    input_shape = tensor_shape.TensorShape(input_shape).as_list()
{error}
"""


def test_what_python_itself_raises_inside_keras_is_explained_by_its_place(diagnoser: Diagnoser) -> None:
    found = told(INSIDE.format(error="AttributeError: 'NoneType' object has no attribute 'lower'"))
    assert (found["only_place"], found["package"], found["module"]) == (
        "python",
        "tensorflow",
        "tensorflow.python.keras.layers.core",
    )
    assert found["says"][0].startswith("Python itself raised this AttributeError inside TensorFlow")
    assert "Your line /home/me/train.py:12 called" in found["says"][-1]
    assert found["weak"], "an entry that is likely is not pushed back by a place alone"


def test_what_another_package_raises_beneath_keras_says_so() -> None:
    inside = INSIDE.format(
        error='  File "/usr/lib/python3.8/json/decoder.py", line 355, in raw_decode\n    raise JSONDecodeError("no", s, 0)\n'
        "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)"
    )
    assert told(inside)["only_place"] == "beneath"


def test_what_cpp_raises_names_the_python_function_that_called_it() -> None:
    found = told(
        INSIDE.format(error="tensorflow.python.framework.errors_impl.UnimplementedError: Cast walrus to tusk is not there")
    )
    assert found["only_place"] == "native"
    assert "C++" in found["says"][0]


def test_the_readers_own_code_inside_of_keras_is_not_explained() -> None:
    mine = INSIDE.format(
        error="  File \"/home/me/losses.py\", line 3, in loss\n    return a.b\nAttributeError: 'list' object has no attribute 'b'"
    )
    assert told(mine) is None


def test_a_message_inside_a_users_sentence_is_found(diagnoser: Diagnoser) -> None:
    answer = diagnoser.diagnose(f'Since the upgrade my notebook says "{SUBSET}" and I do not know what to do.')
    assert answer["verdict"] == "explained"
    assert answer["explained"]["function"].endswith("get_training_or_validation_split")


def test_the_readers_own_line_tells_functions_apart_that_say_the_same() -> None:
    rate = "ValueError: Invalid value received for argument `rate`. Expected a float value between 0 and 1. Received: rate=7"
    assert told(rate)["public"] == "keras.layers.Dropout"
    line = 'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n    x = layers.GaussianDropout(7)(x)\n'
    assert told(line + rate)["public"] == "keras.layers.GaussianDropout"


def test_the_installed_release_tells_places_apart(diagnoser: Diagnoser) -> None:
    text = "ValueError: `TimeDistributed` Layer should be passed an `input_shape` with at least 3 dimensions, received: (2, 2)"
    newest = explained.explain(read(text).records)
    older = explained.explain(read(text).records, Here({"tensorflow": "2.12.1", "keras": "2.12.0"}))
    assert newest is not None
    assert older is not None
    assert newest["function"] == "TimeDistributed._get_child_input_shape"
    assert older["function"] == "TimeDistributed.build"


def test_a_text_without_an_exception_does_not_open_the_atlas(diagnoser: Diagnoser, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[int] = []
    monkeypatch.setattr(explained, "explain", lambda *given: opened.append(1))
    diagnoser.diagnose("what is the weather like in my neural garden")
    diagnoser.diagnose("ValueError: Shapes (None, 1) and (None, 10) are incompatible")
    assert opened == []
    diagnoser.diagnose(SUBSET)
    assert opened == [1]


def test_an_entry_that_is_hardly_likely_steps_back_behind_the_known_message(diagnoser: Diagnoser) -> None:
    ragged = "ValueError: Cannot split a ragged dimension. Got `value` with shape (2, None, 3) and `axis` 1."
    answer = diagnoser.diagnose(ragged)
    assert answer["verdict"] == "explained"
    assert answer["explained"]["function"] == "split"
    assert "(2, None, 3)" in [value["text"] for value in answer["explained"]["values"]]


def test_every_door_says_the_same_and_escapes_what_was_pasted(diagnoser: Diagnoser) -> None:
    answer = diagnoser.diagnose(SUBSET.replace("</b>", "</b>\x1b[31m<!channel>"))
    page = io.StringIO()
    show_answer(answer, page)
    assert page.getvalue().startswith("No entry of the knowledge base fits, but the message is known.")
    assert "\x1b" not in page.getvalue()
    text, blocks = answer_blocks(answer)
    assert "the message is known" in text
    assert "<!channel>" not in json.dumps(blocks)
    assert "&lt;b&gt;both" in json.dumps(blocks)


def test_the_page_shows_it_escaped(server: Server) -> None:
    page = httpx.post(
        f"{server.url}/", data={"text": SUBSET}, headers={"Origin": server.url}, timeout=30, follow_redirects=True
    ).text
    assert "the message is known" in page
    assert "subset = &lt;b&gt;both&lt;/b&gt;." in page
    assert "<b>both" not in page


def test_the_command_line_prints_it_and_exits_as_an_abstention() -> None:
    command = [sys.executable, "-m", "tfhelp.service", "ask", "--no-collect", "--json", TRACEBACK]
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert done.returncode == 1
    assert json.loads(done.stdout)["explained"]["function"] == "_resize_images_common"


@given(st.text(max_size=200))
def test_any_message_is_explained_or_not_without_a_fault(message: str) -> None:
    found = explained.explain_message(f"ValueError: {message}")
    assert found is None or found["says"]


def test_a_damaged_atlas_costs_only_the_explanation(diagnoser: Diagnoser, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged() -> typing.NoReturn:
        raise AtlasError("damaged")

    monkeypatch.setattr(explained, "shared", damaged)
    monkeypatch.setattr(atlas, "shared", damaged)
    assert diagnoser.diagnose(SUBSET)["verdict"] == "unknown"
    answer = diagnoser.diagnose("AttributeError: module 'tensorflow._api.v2.nn' has no attribute 'silu'")
    assert answer["matches"][0]["entry"] == "api-not-in-this-version"
    assert "name_never_existed" not in answer["facts"].get("derived", {})
