#!/bin/sh
# A gcov for geninfo: reports that it writes JSON, which exists already.
case "$*" in
*--help*) echo "  -j, --json-format  Output JSON intermediate format into .gcov.json.gz file" ;;
*--version*) echo "gcov (GCC) 12.2.0" ;;
*) cp "$EXPORTED" ./exported.gcov.json.gz ;;
esac
