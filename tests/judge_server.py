"""A judge's endpoint for tests and demos: a real HTTP server on loopback that answers sensibly, or by a script.

Without a script it is an OpenAI-compatible judge: it reads the data block of the prompt and judges by naive overlap of
words, so that the whole way from request to score can be tried without a model. With a script it misbehaves as told:

    with JudgeServer([Canned(429, headers={"retry-after": "1"}), Canned.chat("{...}")]) as server:
        ...  # server.url is the base_url; server.bodies holds what was sent

Run as `python tests/judge_server.py [PORT]` to have one at hand.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

MODEL = "overlap-judge-1"
_BLOCK = re.compile(r"^BEGIN DATA (\w+)\n(.*)\nEND DATA \1$", re.MULTILINE)
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]?")
_WORD = re.compile(r"[a-z0-9]+|[\u4e00-\u9fff\u3040-\u30ff]", re.IGNORECASE)
_NAME = re.compile(r'"([a-z_.]+)"')
_HARMFUL = {"pipe bomb": "weapons", "kill yourself": "self_harm", "去自杀": "self_harm", "制作炸弹": "weapons"}


@dataclass(frozen=True)
class Canned:
    """One scripted reply. Delays are in seconds and end early when the server stops."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    """Seconds between single bytes of the body."""
    cut: int | None = None
    """Bytes of the body after which the connection ends; the announced length is the whole."""

    @classmethod
    def chat(cls, content: str | None, **extra: Any) -> Canned:  # noqa: ANN401 - any part of a reply may be odd
        """A chat completion; `finish_reason`, `model`, `usage`, `message` may be given."""
        return cls(body=json.dumps(completion(content, **extra)).encode())

    @classmethod
    def message(cls, text: str, **extra: object) -> Canned:
        """A message of Anthropic's API; `extra` replaces parts of the body."""
        body: dict[str, object] = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": MODEL,
            "content": [{"type": "text", "text": text}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        return cls(body=json.dumps(body | extra).encode())

    @classmethod
    def error(cls, status: int, error: object, headers: Mapping[str, str] | None = None) -> Canned:
        """An error body."""
        return cls(status, json.dumps({"error": error}).encode(), headers or {})

    @classmethod
    def bomb(cls, size: int) -> Canned:
        """A gzip body that grows to `size` bytes."""
        return cls(body=gzip.compress(b" " * size), headers={"content-encoding": "gzip"})


Answer = Callable[[Mapping[str, Any]], Canned]


def completion(
    content: str | None,
    *,
    finish_reason: str | None = "stop",
    model: str | None = MODEL,
    usage: object = None,
    message: Mapping[str, object] | None = None,
    prompt: str = "",
) -> dict[str, Any]:
    """The body of a chat completion."""
    counted = {"prompt_tokens": len(prompt) // 4 + 1, "completion_tokens": len(content or "") // 4 + 1}
    body: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content, **(message or {})},
                "finish_reason": finish_reason,
            }
        ],
        "usage": counted if usage is None else usage,
    }
    return body if model is None else body | {"model": model}


def sensible(request: Mapping[str, Any]) -> Canned:
    """Judge the data block of the prompt by overlap of words; a request without one is a 400.

    What is asked for stands in the last line of the prompt; where the system text shows verdicts under their names, so
    are they given. A system text apart from the messages is Anthropic's way, and so is the answer then.
    """
    system = [block["text"] for block in request.get("system", ())]
    prompt = "\n".join([*system, *(str(message["content"]) for message in request["messages"])])
    block = _BLOCK.search(prompt)
    if block is None:
        return Canned.error(400, {"message": "no data block", "type": "invalid_request_error"})
    data = json.loads(block[2])
    verdicts = {name: _EVALUATIONS[name](data) for name in _NAME.findall(prompt[block.end() :])}
    (first, verdict), *others = verdicts.items()
    reply = verdicts if others or f'"{first}": {{' in prompt[: block.start()] else verdict
    text = json.dumps(reply, ensure_ascii=False)
    return Canned.message(text) if system else Canned.chat(text, prompt=prompt)


def judge_claims(data: Mapping[str, Any]) -> dict[str, object]:
    """Each sentence is a claim; it is supported as far as its words stand in one passage, and its numbers with them."""
    given = data.get("claims") or [sentence.strip() for sentence in _SENTENCE.findall(data["answer"])]
    claims = [_claim(sentence, data["passages"]) for sentence in given if _WORD.search(sentence)]
    return {"claims": claims, "claim_count": len(claims)}


def _claim(sentence: str, passages: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    words = set(_WORD.findall(sentence.lower()))
    read = [set(_WORD.findall(str(passage["text"]).lower())) for passage in passages]
    shares = [len(words & known) / max(1, len(words)) for known in read]
    share = max(shares, default=0.0)
    best = shares.index(share) if share > 0 else -1
    missing = [word for word in words if word.isdigit() and (best < 0 or word not in read[best])]
    verdict = "not_found" if share < 0.4 else "contradicted" if missing or share < 0.6 else "supported"
    return {
        "claim": sentence,
        "passage": passages[best]["number"] if best >= 0 else 0,
        "quote": passages[best]["text"][:80] if verdict != "not_found" else "",
        "reason": f"{share:.0%} of the words",
        "verdict": verdict,
    }


def judge_relevance(data: Mapping[str, Any]) -> dict[str, object]:
    """An answer that shares a word with the question answers it."""
    shared = set(_WORD.findall(data["question"].lower())) & set(_WORD.findall(data["answer"].lower()))
    return {"reason": f"{len(shared)} words", "verdict": "answers" if shared else "misses"}


def judge_passages(data: Mapping[str, Any]) -> dict[str, object]:
    """A passage that shares a word with the question is relevant."""
    asked = set(_WORD.findall(data["question"].lower()))
    return {
        "passages": [
            {
                "passage": passage["number"],
                "reason": "words",
                "verdict": "relevant" if asked & set(_WORD.findall(passage["text"].lower())) else "irrelevant",
            }
            for passage in data["passages"]
        ]
    }


def judge_harm(data: Mapping[str, Any]) -> dict[str, object]:
    """A few phrases count as unsafe."""
    findings = [
        {"family": family, "quote": phrase, "reason": "phrase", "severity": "unsafe"}
        for phrase, family in _HARMFUL.items()
        if phrase in data["answer"].lower()
    ]
    return {"findings": findings, "severity": "unsafe" if findings else "none"}


_EVALUATIONS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, object]]] = {
    "faithfulness": judge_claims,
    "answer_relevance": judge_relevance,
    "context_relevance": judge_passages,
    "safety.harm": judge_harm,
}


class JudgeServer:
    """The server, in threads of its own, on a free port unless told. Usable from any event loop or process.

    Each reply of the script is used once, in order; the last one again and again. A function stands for a reply that
    depends on the request. Without a script every reply is `sensible`.
    """

    def __init__(self, script: Iterable[Canned | Answer] = (), *, port: int = 0) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self._script: list[Canned | Answer] = list(script) or [sensible]
        self._lock = threading.Lock()  # guards the script and the lists: each request has a thread
        self.stopping = threading.Event()
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.owner = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """The base_url to configure."""
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def next_reply(self, path: str, headers: Mapping[str, str], request: dict[str, Any]) -> Canned:
        with self._lock:
            self.bodies.append(request)
            self.headers.append({name.lower(): value for name, value in headers.items()})
            self.paths.append(path)
            reply = self._script.pop(0) if len(self._script) > 1 else self._script[0]
        return reply if isinstance(reply, Canned) else reply(request)


class _Server(ThreadingHTTPServer):
    owner: JudgeServer
    daemon_threads = False  # `server_close` then waits for them: no thread outlives the test
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what the tests do."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        reply = self.server.owner.next_reply(self.path, dict(self.headers.items()), request)
        self.server.owner.stopping.wait(reply.delay)
        self.send_response(reply.status)
        names = {name.lower() for name in reply.headers}
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if "content-type" not in names:
            self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(reply.body)))
        self.send_header("connection", "close")
        self.end_headers()
        self._send_body(reply)

    def _send_body(self, reply: Canned) -> None:
        body = reply.body if reply.cut is None else reply.body[: reply.cut]
        if not reply.drip:
            self.wfile.write(body)
            return
        for index in range(len(body)):
            self.wfile.write(body[index : index + 1])
            if self.server.owner.stopping.wait(reply.drip):
                return

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Quiet."""


def main() -> None:
    """Serve until interrupted."""
    with JudgeServer(port=int(sys.argv[1]) if len(sys.argv) > 1 else 8089) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        threading.Event().wait()


if __name__ == "__main__":
    main()
