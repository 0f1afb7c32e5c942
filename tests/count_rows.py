#!/usr/bin/env python3
"""Counts what the tests of a build hold, so that no number of them is written by hand:

    python3 tests/count_rows.py build/dev

Words and their settings, ops and their cases, networks that a framework judged, and the rows of stated numbers, which
are the tests whose names say a section (NetworkSection8, TrainingSection3)."""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

PROPERTIES = {"ops_test": "OpCases.HaveNamesOfTheirOwn", "nn_test": "LayersPage.SaysSomethingOfEveryLayer"}


def names_of_tests(build):
    listing = subprocess.run(
        ["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, text=True, check=True
    ).stdout
    return [test["name"] for test in json.loads(listing)["tests"]]


def properties_of(program, test):
    with tempfile.TemporaryDirectory() as folder:
        written = pathlib.Path(folder) / "properties.json"
        words = [f"--gtest_filter={test}", f"--gtest_output=json:{written}"]
        subprocess.run([program, *words], capture_output=True, check=True)
        (suite,) = json.loads(written.read_text())["testsuites"]
        (case,) = suite["testsuite"]
    return {key: int(value) for key, value in case.items() if key in ("ops", "op_cases", "words", "settings_of_words")}


def rows_of_sections(names):
    """(page, section) -> rows. A row that two tests walk counts once; a test without rows is one."""
    rows = collections.defaultdict(set)
    for name in names:
        found = re.search(r"(Network|Training)Section(\d+)", name)
        if not found:
            continue
        suite, _, rest = name.partition(".")
        _, slash, row = rest.partition("/")
        rows[(found[1].lower(), int(found[2]))].add((suite, row if slash else rest))
    return {section: len(all) for section, all in rows.items()}


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    build = pathlib.Path(sys.argv[1])
    names = names_of_tests(build)
    counts = {"tests": len(names)}
    for program, test in PROPERTIES.items():
        (path,) = build.rglob(program)
        counts |= properties_of(path.resolve(), test)
    counts["judged_networks"] = sum("Layers.AnswerAsTheFramework/" in name for name in names)
    for key, count in counts.items():
        print(f"{key:20} {count}")
    for (page, section), count in sorted(rows_of_sections(names).items()):
        print(f"{page + ' ' + str(section):20} {count}")


main()
