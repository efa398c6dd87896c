"""Folders and files that the user named, in the paths that Python prints."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfhelp.kb.chosen_names import is_chosen


def chosen(text: str, word: str) -> bool:
    """Whether a word that occurs once in a text is chosen."""
    assert text.count(word) == 1
    return is_chosen(text, text.index(word))


@pytest.mark.parametrize(
    "text",
    [
        'File "/opt/conda/envs/WORD/lib/python3.10/site-packages/keras/src/models/model.py", line 3, in f',
        'File "/usr/lib/WORD/python3/dist-packages/keras/a.py", line 3, in f',
        'File "C:\\Users\\Jane Doe\\WORD env\\Lib\\site-packages\\keras\\a.py", line 3, in f',
        'File "/home/me/my WORD project/train.py", line 3, in <module>',
        'File "/home/me/WORD.py", line 3, in <module>',
        'File "/opt/conda/envs/WORD/lib/python3.10/multiprocessing/pool.py", line 3, in f',
        'File "C:\\anaconda3\\envs\\WORD\\lib\\multiprocessing\\pool.py", line 3, in f',
        "~/WORD/env/lib/python3.8/site-packages/keras/engine/training.py in fit(self)",
        "/home/me/WORD/train.py:12: UserWarning: something",
        "WORD/train.py:12: UserWarning: something",
    ],
)
def test_folders_and_files_of_the_user_are_chosen(text: str) -> None:
    assert chosen(text, "WORD")


@pytest.mark.parametrize(
    "text",
    [
        'File "/home/me/env/lib/python3.10/site-packages/WORD/nn/module.py", line 3, in forward',
        'File "/home/me/env/lib/python3.10/WORD/pool.py", line 3, in f',
        'File "/home/me/train.py", line 3, in WORD',
        'File "/home/me/train.py", line 3, in <module> WORD.nn.Linear(3)',
        "/home/me/train.py:12: UserWarning: WORD",
        "I use WORD and /home/me/train.py fails",
        "no such folder: /data/WORD/images",
        "WORD",
    ],
)
def test_packages_and_words_are_not_chosen(text: str) -> None:
    assert not chosen(text, "WORD")


def test_the_root_of_a_path_is_no_name() -> None:
    text = 'File "C:\\keras\\train.py", line 3, in <module>'
    assert not is_chosen(text, text.index("C:")) and is_chosen(text, text.index("keras"))


@given(st.text(alphabet='/\\" \nab.pyFile-lib3site-packages', max_size=60), st.data())
def test_any_place_in_any_text_is_chosen_or_not(text: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text)))
    assert is_chosen(text, place) in (True, False)
    assert not is_chosen(" ".join(text.replace("/", "").replace("\\", "").replace('"', "")), 0), "only paths have chosen names"
