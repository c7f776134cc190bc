"""The user's secret, and what it seals: a build folder that came with a game counts for nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Cardgen

from cardgen.pipeline.manifest import hash_bytes
from cardgen.runtime import content_store, user_secret


def test_the_secret_is_the_users_alone_and_kept(tmp_path: Path) -> None:
    settings = tmp_path / "settings"
    made = user_secret.load_secret(settings)
    assert len(made) == 32
    assert user_secret.load_secret(settings) == made
    (file,) = settings.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("relative", ["", ".", "cards", "~nobody/x"])
@pytest.mark.parametrize("variable", user_secret._FOLDER_VARIABLES)
def test_no_variable_leads_the_settings_into_the_current_folder(
    variable: str, relative: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in user_secret._FOLDER_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, relative)
    monkeypatch.chdir(tmp_path)
    assert user_secret.get_config_folder().is_absolute()
    assert not user_secret.get_config_folder().is_relative_to(tmp_path)


def test_a_user_without_a_home_has_a_secret_for_each_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CARDGEN_CONFIG", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("CARDGEN_SECRET", "")  # it is put back afterwards
    monkeypatch.delenv("CARDGEN_SECRET")
    monkeypatch.setattr(Path, "home", fail)
    folder = user_secret.get_config_folder()
    assert user_secret.load_secret(folder) == user_secret.load_secret(folder)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("spoilt", ["read by all", "short", "a link"])
def test_a_readable_secret_is_replaced(tmp_path: Path, spoilt: str) -> None:
    made = user_secret.load_secret(tmp_path)
    (file,) = tmp_path.iterdir()
    if spoilt == "read by all":
        file.chmod(0o644)
    elif spoilt == "short":
        file.write_bytes(b"known")
    else:
        file.symlink_to(file.rename(tmp_path / "elsewhere"))
    again = user_secret.load_secret(tmp_path)
    assert len(again) == 32
    assert again != made
    assert user_secret.load_secret(tmp_path) == again


@pytest.fixture
def unwritable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A settings folder that cannot be made."""
    monkeypatch.setenv("CARDGEN_SECRET", "")
    monkeypatch.delenv("CARDGEN_SECRET")  # it is deleted again afterwards
    (tmp_path / "file").write_text("no folder")
    return tmp_path / "file/below"


def test_a_secret_that_cannot_be_stored_is_that_of_one_command(
    unwritable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = user_secret.load_secret(unwritable)
    assert (len(one), user_secret.load_secret(unwritable)) == (32, one)
    monkeypatch.delenv("CARDGEN_SECRET")
    assert user_secret.load_secret(unwritable) != one


def test_a_secret_for_the_next_time_is_the_users_alone_and_serves_once(
    tmp_path: Path, unwritable: Path
) -> None:
    file = tmp_path / "settings/one.secret"
    _, following = user_secret.rotate_secret(file)
    assert file.stat().st_mode & 0o777 == 0o600
    now, other = user_secret.rotate_secret(file)
    assert now == following != other
    file.chmod(0o644)
    assert user_secret.rotate_secret(file)[0] not in (now, other)
    assert len(user_secret.rotate_secret(unwritable / "one.secret")[0]) == 32


def test_a_build_folder_of_somebody_else_is_not_believed(
    root: Path, cardgen: Cardgen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cardgen("build", "sheets").code == 0
    sheets, manifest = root / "build/en/sheets.pdf", root / "build/.cardgen.json"
    honest = sheets.read_bytes()
    sheets.write_bytes(b"%PDF-1.7 of a stranger")
    listed = json.loads(content_store.unseal_data(manifest, manifest.read_bytes()))
    listed["en/sheets.pdf"]["digest"] = hash_bytes(sheets.read_bytes())
    manifest.write_bytes(content_store.seal_data(manifest, json.dumps(listed).encode()))
    for face in (root / "build/.store/faces").glob("*.pdf"):  # right seals of the stranger's key
        face.write_bytes(content_store.seal_data(face, b"%PDF-1.7 of a stranger"))
    monkeypatch.setenv("CARDGEN_CONFIG", str(tmp_path / "mine"))
    result = cardgen("build", "sheets")
    assert "build/.store was not begun by you on this machine" in result.err
    assert sheets.read_bytes() == honest
    assert "not begun by you" not in cardgen("build", "sheets").err


def test_a_secret_that_cannot_be_stored_is_told(
    cardgen: Cardgen, unwritable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDGEN_CONFIG", str(unwritable))
    result = cardgen("check")
    assert "this happens every time" in result.err
    assert "CARDGEN_CONFIG" in result.err
