"""Causeway beside PyTorch (2.13.0, eager), on the same networks with the same numbers, in one run.

    build/judges/bin/python bench/beside_pytorch.py [NAME ...] [--turns build/release/bench/turns] [--threads 1]
                                                    [--rounds 15] [--seconds 0.3]

The networks are written twice: as PyTorch modules, and in words; Causeway reads the modules' numbers. Before anything
is timed both answer the same rows, and both take three steps of Adam on the same batch: logits and losses must agree.
Then the two take turns, --seconds each, --rounds times; a turn gives the median time of a call, and each round a
ratio, PyTorch's time over Causeway's: above 1 Causeway is the faster. The table shows the medians over the rounds, and
the quarter and three quarters of the ratios.
"time" is what the clock on the wall says, "processor" the processor time of all threads, which other programs on the
machine disturb less.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ARGS = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ARGS.add_argument("names", nargs="*")
ARGS.add_argument("--turns", default=Path(__file__).parent.parent / "build/release/bench/turns")
ARGS.add_argument("--threads", type=int, default=1)
ARGS.add_argument("--rounds", type=int, default=15)
ARGS.add_argument("--seconds", type=float, default=0.3)
args = ARGS.parse_args()
os.environ["OMP_NUM_THREADS"] = str(args.threads)

import numpy as np
import torch
from safetensors.numpy import save_file
from torch import nn

torch.set_num_threads(args.threads)

STEPS, CHANNELS, UNITS, CLASSES = 50, 32, 128, 10
VOCABULARY, PLACES, WIDTH, HEADS, LAYERS = 8000, 128, 256, 4, 4


class Recurrent(nn.Module):
    """Two stacked layers over a series, then a linear layer on the last step."""

    def __init__(self, kind):
        super().__init__()
        self.rnn = kind(CHANNELS, UNITS, num_layers=2, batch_first=True)
        self.head = nn.Linear(UNITS, CLASSES)

    def forward(self, x):
        return self.head(self.rnn(x)[0][:, -1])

    @staticmethod
    def words(kind):
        return {"input": [STEPS, CHANNELS],
                "layers": [{"kind": kind, "name": "rnn", "units": UNITS, "num_layers": 2},
                           {"kind": "dense", "name": "head", "units": CLASSES}]}

    @staticmethod
    def rows(batch):
        return {"input": np.random.default_rng(0).standard_normal((batch, STEPS, CHANNELS), dtype=np.float32)}


class Encoder(nn.Module):
    """A small BERT: embeddings of words and places, post-norm layers, a linear layer on the first step."""

    def __init__(self):
        super().__init__()
        self.words_of = nn.Embedding(VOCABULARY, WIDTH)
        self.place_of = nn.Embedding(PLACES, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        for i in range(LAYERS):
            layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 4 * WIDTH, dropout=0, activation="gelu", batch_first=True)
            self.add_module(f"layer{i}", layer)
        self.head = nn.Linear(WIDTH, CLASSES)

    def forward(self, ids, places):
        x = self.norm(self.words_of(ids) + self.place_of(places))
        for i in range(LAYERS):
            x = getattr(self, f"layer{i}")(x)
        return self.head(x[:, 0])

    @staticmethod
    def words():
        whole, embedding = {"shape": [PLACES], "dtype": "int64"}, {"kind": "embedding", "output_dim": WIDTH}
        return {"inputs": {"ids": whole, "places": whole},
                "layers": [{**embedding, "name": "words_of", "input_dim": VOCABULARY, "from": "ids"},
                           {**embedding, "name": "place_of", "input_dim": PLACES, "from": "places"},
                           {"kind": "add", "name": "sum", "from": ["words_of", "place_of"]},
                           {"kind": "layer_normalization", "name": "norm", "epsilon": 1e-5}] +
                          [{"kind": "transformer_encoder_layer", "name": f"layer{i}", "nhead": HEADS,
                            "dim_feedforward": 4 * WIDTH, "dropout": 0, "activation": "gelu"} for i in range(LAYERS)] +
                          [{"kind": "select", "name": "first", "index": 0},
                           {"kind": "dense", "name": "head", "units": CLASSES}]}

    @staticmethod
    def rows(batch):
        ids = np.random.default_rng(0).integers(0, VOCABULARY, (batch, PLACES))
        return {"ids": ids, "places": np.tile(np.arange(PLACES), (batch, 1))}


# Name: the module, its words, rows of a batch, the batches answered and the batch of a step.
NETWORKS = {
    "lstm": (lambda: Recurrent(nn.LSTM), lambda: Recurrent.words("lstm"), Recurrent.rows, (1, 16), 32),
    "gru": (lambda: Recurrent(nn.GRU), lambda: Recurrent.words("gru"), Recurrent.rows, (1, 16), 32),
    "bert_mini": (Encoder, Encoder.words, Encoder.rows, (1, 8), 8),
}


class Theirs:
    """PyTorch's side: answers, or steps of Adam."""

    def __init__(self, module, rows, classes):
        self.module, self.classes = module, torch.from_numpy(classes)
        self.rows = [torch.from_numpy(each) for each in rows.values()]
        self.optimizer = torch.optim.Adam(module.parameters())

    def answer(self):
        with torch.inference_mode():
            return self.module(*self.rows)

    def step(self):
        self.optimizer.zero_grad()
        loss = nn.functional.cross_entropy(self.module(*self.rows), self.classes)
        loss.backward()
        self.optimizer.step()
        return loss.detach()

    @staticmethod
    def turn(call, seconds):
        """A call's median times in microseconds, and what the last one gave."""
        times, processor_times, end = [], [], time.perf_counter() + seconds
        while not times or time.perf_counter() < end:
            processor, start = time.process_time(), time.perf_counter()
            given = call()
            times.append(time.perf_counter() - start)
            processor_times.append(time.process_time() - processor)
        return statistics.median(times) * 1e6, statistics.median(processor_times) * 1e6, given.numpy().ravel()


class Ours:
    """Causeway's side, in a process that waits between its turns."""

    def __init__(self, module, words, rows, classes, verb, folder):
        numbers = {name: each.detach().numpy() for name, each in module.state_dict().items()}
        save_file(numbers, f"{folder}/net.safetensors")
        Path(f"{folder}/net.json").write_text(json.dumps({**words, "loss": "sparse_categorical_crossentropy"}))
        save_file({**rows, "output": classes}, f"{folder}/rows.safetensors")
        files = [f"{folder}/{name}" for name in ("net.safetensors", "net.json", "rows.safetensors")]
        self.process = subprocess.Popen([args.turns, *files, verb, str(args.threads)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def turn(self, seconds):
        try:
            print(seconds, file=self.process.stdin, flush=True)
        except BrokenPipeError:
            pass  # the missing answer says it
        line = self.process.stdout.readline().split()
        if not line:
            sys.exit(f"{args.turns} ended: its fault stands above")
        return float(line[0]), float(line[1]), np.array(line[2:], dtype=np.float32)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def quarters(values):
    return statistics.quantiles(values, n=4) if len(values) > 1 else values * 3


def race(name, batch, verb):
    make, words, rows_of, _, _ = NETWORKS[name]
    torch.manual_seed(0)
    module, rows = make().train(verb == "step"), rows_of(batch)
    classes = np.random.default_rng(1).integers(0, CLASSES, batch)
    with tempfile.TemporaryDirectory() as folder:
        ours = Ours(module, words(), rows, classes, verb, folder)
        theirs = Theirs(module, rows, classes)
        call = getattr(theirs, verb)
        for _ in range(3):
            a, b = ours.turn(0)[2], theirs.turn(call, 0)[2]
            if a.shape != b.shape or not np.abs(a - b).max() <= 1e-4 * max(1, np.abs(b).max()):
                sys.exit(f"{name}, batch {batch}, {verb}: {a} and not PyTorch's {b}")
        rounds = []
        for _ in range(args.rounds):
            rounds.append((*ours.turn(args.seconds)[:2], *theirs.turn(call, args.seconds)[:2]))
        ours.end()
    mine, mine_processor, other, other_processor = (statistics.median(column) for column in zip(*rounds))
    low, ratio, high = quarters([theirs / ours for ours, _, theirs, _ in rounds])
    low_processor, ratio_processor, high_processor = quarters([theirs / ours for _, ours, _, theirs in rounds])
    print(f"{name:12}{verb:8}{batch:5}{other:11.1f}{mine:11.1f}{ratio:7.2f}{f'{low:.2f}-{high:.2f}':>12}"
          f"{other_processor:12.1f}{mine_processor:11.1f}{ratio_processor:7.2f}"
          f"{f'{low_processor:.2f}-{high_processor:.2f}':>12}", flush=True)


def main():
    unknown = [name for name in args.names if name not in NETWORKS]
    if unknown:
        sys.exit(f"no network is called {', '.join(unknown)}; there are {', '.join(NETWORKS)}")
    print(f"{'':25}{'time, us':^41}{'processor, us':^42}   {args.threads} thread(s)")
    print(f"{'network':12}{'verb':8}{'batch':>5}" + f"{'pytorch':>11}{'causeway':>11}{'ratio':>7}{'quarters':>12}" +
          f"{'pytorch':>12}{'causeway':>11}{'ratio':>7}{'quarters':>12}")
    for name in args.names or NETWORKS:
        _, _, _, answered, stepped = NETWORKS[name]
        for batch in answered:
            race(name, batch, "answer")
        race(name, stepped, "step")


main()
