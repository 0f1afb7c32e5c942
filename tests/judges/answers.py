#!/usr/bin/env python3
# judges: numpy safetensors
"""The program's answers, in arrays that NumPy reads, are those the frameworks gave when the fixtures were made."""

from judged import answers_of, far_apart, judge


def check(name, words, inputs, answers, folder):
    return far_apart(answers_of(words, inputs, folder), answers)


judge(check)
