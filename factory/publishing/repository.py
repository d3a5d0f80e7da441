"""Publishing into a repository of the Hub: one commit on a known parent, then the tag.

The large files are uploaded first (the Hub stores them without showing them); then one commit,
which names its parent, shows all of them at once, with card and manifest, and deletes what the
earlier release had more.  The tag follows when a listing of that very commit says that all is
there.  Every attempt begins with a look at what there is, so a lost answer is not done twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from factory.errors import UserError
from factory.hub.calls import Caller, Patience, hub_session
from factory.hub.download import RemoteFile, read_tree
from factory.manifest import MANIFEST
from factory.progress import Progress
from factory.publishing.bundle import Address, Bundle
from factory.publishing.plan import Plan, compare
from factory.publishing.sent import Sent

if TYPE_CHECKING:
    from huggingface_hub import CommitInfo, CommitOperationAdd, HfApi

BATCH_BYTES = 256_000_000
BATCH_FILES = 50


@dataclass(frozen=True, slots=True)
class _State:
    """A revision of the repository, and what it lacks."""

    commit: str
    plan: Plan


class HubDestination:
    """A dataset or model repository; made when it does not exist yet."""

    def __init__(
        self,
        name: str,
        *,
        private: bool,
        tag: str | None,
        pull_request: bool,
        progress: Progress,
        note: Callable[[str], None],
        patience: Patience,
    ) -> None:
        from huggingface_hub import HfApi

        self._name = name
        self._private = private
        self._tag = tag
        self._pull_request = pull_request
        self._progress = progress
        self._api: HfApi = HfApi()
        self._caller = Caller(patience, note)
        self.url = f"{self._api.endpoint}/{name}"
        self.address = Address(name, tag)

    def look(self, bundle: Bundle) -> tuple[Plan, Sent | None]:
        """Compare with the main branch, and with the tag if there is one of this name.

        Raises:
            UserError: The repository is public and shall be private; or the tag holds something
                else; or there is no repository to open a pull request in; or the Hub refuses.
            InfrastructureError: The Hub or the network failed in every attempt.
        """
        kind = "datasets/" if bundle.kind == "dataset" else ""
        self.url = f"{self._api.endpoint}/{kind}{self._name}"
        with hub_session():
            return self._caller.call(f"looking at {self._name}", lambda: self._look(bundle))

    def _look(self, bundle: Bundle) -> tuple[Plan, Sent | None]:
        head = self._head(bundle)
        if head is None:
            if self._pull_request:
                raise UserError(f"{self._name}: no such repository to open a pull request in")
            return compare(bundle, {}), None
        if self._tag is not None and (tagged := self._tagged(bundle)) is not None:
            return tagged.plan, Sent(tagged.commit, self._tag)
        plan = self._state(bundle, head).plan
        if self._pull_request and not plan.empty:
            return plan, self._opened(bundle)
        return plan, Sent(head) if plan.empty and self._tag is None else None

    def open(self) -> None:
        """See that there is a token and that the Hub knows it.

        Raises:
            UserError: There is none, or the Hub refuses it.
            InfrastructureError: The Hub or the network failed in every attempt.
        """
        from huggingface_hub import get_token

        if not get_token():
            raise UserError("no Hub token: set HF_TOKEN, or run `hf auth login`")
        with hub_session():
            self._caller.call("logging in", self._api.whoami)

    def send(self, bundle: Bundle) -> Sent:
        """Make the repository if need be, commit, tag.

        Raises:
            UserError: The Hub refuses.
            InfrastructureError: The Hub or the network failed in every attempt.
        """
        with hub_session():
            self._caller.call(f"opening {self._name}", lambda: self._create(bundle))
            if self._pull_request:
                return self._caller.call(
                    f"opening a pull request in {self._name}", lambda: self._request(bundle)
                )
            commit = self._caller.call(f"publishing to {self._name}", lambda: self._commit(bundle))
            if self._tag is not None:
                self._caller.call(
                    f"tagging {self._name} as {self._tag}", lambda: self._set_tag(bundle, commit)
                )
            return Sent(commit, self._tag)

    def _create(self, bundle: Bundle) -> None:
        if self._head(bundle) is None:
            self._api.create_repo(
                self._name, repo_type=bundle.kind, private=self._private, exist_ok=True
            )

    def _head(self, bundle: Bundle) -> str | None:
        """Commit of the main branch; ``None`` when there is no repository."""
        from huggingface_hub.errors import RepositoryNotFoundError

        with suppress(RepositoryNotFoundError):
            info = self._api.repo_info(self._name, repo_type=bundle.kind)
            if self._private and not info.private:
                raise UserError(f"{self._name}: is public already; --private cannot hold there")
            return str(info.sha)
        return None

    def _state(self, bundle: Bundle, revision: str) -> _State:
        there = read_tree(self._api, self._name, revision, bundle.kind)
        return _State(revision, compare(bundle, there, self._old_manifest(bundle, revision, there)))

    def _old_manifest(
        self, bundle: Bundle, revision: str, there: dict[str, RemoteFile]
    ) -> bytes | None:
        if bundle.kind != "dataset" or MANIFEST not in there:
            return None
        path = self._api.hf_hub_download(
            self._name, MANIFEST, repo_type=bundle.kind, revision=revision
        )
        return Path(path).read_bytes()

    def _commit(self, bundle: Bundle) -> str:
        """The commit of the main branch that holds the bundle; made when there is none."""
        head = self._head(bundle)
        if head is None:
            raise UserError(f"{self._name}: the repository has vanished")
        plan = self._state(bundle, head).plan
        if plan.empty:
            return head
        made = self._send(bundle, plan, head)
        self._require_complete(bundle, made.oid)
        return str(made.oid)

    def _request(self, bundle: Bundle) -> Sent:
        opened = self._opened(bundle)
        if opened is not None:
            return opened
        head = self._head(bundle)
        if head is None:
            raise UserError(f"{self._name}: the repository has vanished")
        plan = self._state(bundle, head).plan
        if plan.empty:
            return Sent(head)
        made = self._send(bundle, plan, head)
        self._require_complete(bundle, made.oid)
        return Sent(made.oid, pull_request=made.pr_url)

    def _opened(self, bundle: Bundle) -> Sent | None:
        """An open pull request that proposes exactly this bundle."""
        for pull in self._api.get_repo_discussions(
            self._name,
            repo_type=bundle.kind,
            discussion_type="pull_request",
            discussion_status="open",
        ):
            if pull.title == bundle.title and pull.git_reference is not None:
                state = self._state(bundle, pull.git_reference)
                if state.plan.empty:
                    return Sent(pull_request=pull.url)
        return None

    def _send(self, bundle: Bundle, plan: Plan, parent: str) -> CommitInfo:
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        additions = []
        for path in plan.sent:
            file = bundle.files[path]
            addition = CommitOperationAdd(path, file.source)
            addition.upload_info.sha256 = bytes.fromhex(file.sha256)
            additions.append(addition)
        done = 0
        for batch in _batches(additions):
            self._api.preupload_lfs_files(
                self._name,
                batch,
                repo_type=bundle.kind,
                create_pr=self._pull_request,
                free_memory=False,
            )
            done += len(batch)
            self._progress.advance("upload", done, len(additions))
        return self._api.create_commit(
            self._name,
            [*additions, *(CommitOperationDelete(path) for path in plan.deleted)],
            commit_message=bundle.title,
            commit_description=bundle.description,
            repo_type=bundle.kind,
            parent_commit=parent,
            create_pr=self._pull_request,
        )

    def _require_complete(self, bundle: Bundle, commit: str) -> None:
        plan = self._state(bundle, commit).plan
        if not plan.empty:
            path = (*plan.sent, *plan.deleted)[0]
            raise UserError(
                f"{self._name}: the commit {commit[:8]} does not hold {path} as it was sent; "
                "does a .gitignore there leave it out?"
            )

    def _tagged(self, bundle: Bundle) -> _State | None:
        """What the tag holds; ``None`` when there is no such tag yet.

        Raises:
            UserError: It is not this bundle.
        """
        refs = self._api.list_repo_refs(self._name, repo_type=bundle.kind)
        for ref in refs.tags:
            if ref.name == self._tag:
                state = self._state(bundle, ref.target_commit)
                if not state.plan.empty:
                    raise UserError(
                        f"{self._name}: the tag {self._tag} is there and holds another release; "
                        "choose a new one"
                    )
                return state
        return None

    def _set_tag(self, bundle: Bundle, commit: str) -> None:
        if self._tagged(bundle) is None and self._tag is not None:
            self._api.create_tag(self._name, tag=self._tag, revision=commit, repo_type=bundle.kind)


def _batches(additions: Sequence[CommitOperationAdd]) -> Iterator[list[CommitOperationAdd]]:
    batch: list[CommitOperationAdd] = []
    for addition in additions:
        batch.append(addition)
        size = sum(each.upload_info.size for each in batch)
        if size >= BATCH_BYTES or len(batch) == BATCH_FILES:
            yield batch
            batch = []
    if batch:
        yield batch
