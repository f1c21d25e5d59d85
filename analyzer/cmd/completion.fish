# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion of arcline's command lines for fish.
function __arcline_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l before (string match -r -- '^--[^=]*=' $words[-1])
    set -l value (string replace -r -- '^--[^=]*=' '' $words[-1])
    set -l answer (command arcline complete $words[2..-1] 2> /dev/null)
    switch "$answer[1]"
        case :files
            set answer (__fish_complete_path $value)
        case :folders
            set answer (__fish_complete_directories $value)
    end
    for line in $answer
        echo "$before$line"
    end
end
complete -c arcline -f -a '(__arcline_complete)'
