# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios in which a profiler might harm the program: numbers 1 to 33."""
import os
import socket

from scenario import Scenario

CALLS = {"leaf": 1000}


def fifo(run):
    if run.target:
        os.mkfifo(run.path(run.target))


def unix_socket(run):
    if run.target:
        # Too long a path for an address, so from inside.
        here = os.getcwd()
        os.chdir(run.folder)
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(run.target)
        os.chdir(here)


def folder(run):
    if run.target:
        os.mkdir(run.path(run.target))


def link_to(text):
    """A symbolic link to a file with this text; None: to nothing."""
    def prepare(run):
        if run.target:
            os.symlink("elsewhere", run.path(run.target))
        if text is not None:
            with open(run.path("elsewhere"), "w", encoding="ascii") as file:
                file.write(text)
    return prepare


def device(run):
    if run.target:
        os.symlink("/dev/full", run.path(run.target))


SCENARIOS = [
    Scenario(3, "the profile's name is a FIFO", "calls.c", prepare=fifo,
             wants_no_profile=True),
    Scenario(3, "the profile's name is a socket", "calls.c",
             prepare=unix_socket, wants_no_profile=True),
    Scenario(3, "the profile's name is a folder", "calls.c", prepare=folder,
             wants_no_profile=True),
    Scenario(3, "... a symbolic link to nothing", "calls.c",
             prepare=link_to(None), wants_no_profile=True),
    Scenario(3, "... a symbolic link to another's file", "calls.c",
             prepare=link_to("text\n"), wants_no_profile=True),
    Scenario(3, "... a symbolic link to /dev/full", "calls.c", prepare=device,
             wants_no_profile=True),
]
