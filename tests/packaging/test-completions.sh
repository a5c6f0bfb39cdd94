#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Completions: every option of --help is in them, and the shells load them and complete.
. "$(dirname "$0")/../cli/lib.sh"

completions=$build/completions
[ -d "$completions" ] || completions=$top/completions # a distribution brings them

options_of() { # PROGRAM: the long and short ones of its --help
    "$build/$1" --help | sed -n 's/^  \(-., \|    \)\(--[a-z-]*\).*/\1\2/p' | tr -d , | tr -s ' ' '\n' | grep -e -
}

case_every_option_is_there_for_every_shell() {
    for program in joular-analyze joular-compare joular-record; do
        options_of $program | sort >options
        [ "$(wc -l <options)" -gt 10 ] || fail "$program: options were not found"
        # one word a line
        sed -n "s/.*compgen -W '\(-.*\)' -- .*/\1/p" "$completions/bash/$program" | tr ' ' '\n' | sort >bash
        sed -n "s/^    \('[^']*'\)\{0,1\}\([{-].*\)/\2/p" "$completions/zsh/_$program" | sed "s/'.*//" | tr -d '{}+=' | tr , '\n' |
            sed 's/\(--[a-z-]*[a-z]\)-$/\1/' | sort >zsh
        sed -n 's/^complete .* -l \([a-z-]*\) .*/--\1/p; s/^complete .* -s \(.\) .*/-\1/p' "$completions/fish/$program.fish" >fish.raw
        sed -n 's/^complete .* -s \(.\) -l \([a-z-]*\) .*/-\1/p' "$completions/fish/$program.fish" >>fish.raw
        sort -u fish.raw >fish
        for shell in bash zsh fish; do
            diff options $shell >>"$case_dir.why" || fail "$program: < --help   > completions for $shell"
        done
    done
}

complete_by_bash() { # WORD...: what bash completes the last word to, sorted, one a line
    bash -c '
        for file in "$1"/bash/*; do . "$file" || exit 1; done
        shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        function=$(complete -p "$1" | sed "s/.* -F \([^ ]*\) .*/\1/")
        "$function" || exit 1
        printf "%s\n" "${COMPREPLY[@]}"' bash "$completions" "$@" | sort >"$case_dir.completed"
}

completes() { # WANTED WORD...: blanks part what is wanted
    wanted=$1
    shift
    complete_by_bash "$@"
    # a function that found nothing prints an empty line
    got=$(tr '\n' ' ' <"$case_dir.completed" | sed 's/ $//')
    [ "$got" = "$wanted" ] || fail "$*: $got, not $wanted"
}

case_bash_completes_options_and_values() {
    have bash
    : >run.jfr
    mkdir folder
    completes '--from --from-report' joular-analyze --fro
    completes 'auto cpu-time execution' joular-analyze --samples ''
    completes 'cpu-time' joular-analyze --samples = cpu
    completes 'busy capacity' joular-analyze --share-of =
    completes 'csv,html' joular-analyze --format csv,h
    completes 'folder' joular-analyze -o ''
    completes 'folder run.jfr' joular-analyze ''
    completes '' joular-analyze --top ''
    completes 'method: process' joular-compare base --vs new --fail-on ''
    completes '--version --vs' joular-compare base --v
}

case_bash_completes_the_command_of_joular_record() {
    have bash
    : >file-1
    completes 'estimate' joular-record -s est
    completes 'root' joular-record --user roo
    completes "$$" joular-record -p "$$"
    completes '--doctor' joular-record --doc
    completes 'file-1' joular-record --jfr = file
    completes 'file-1' joular-record --jfr =
    printf '#!/bin/sh\n' >joular-zz-command
    chmod +x joular-zz-command
    PATH=$PWD:$PATH
    completes 'joular-zz-command' joular-record -o power.log --source = rapl joular-zz
    completes 'joular-zz-command' joular-record --jfr -- joular-zz
    completes 'file-1' joular-record ls fil
    completes '' joular-record ls --out
}

case_bash_loads_them_from_where_they_are_installed() {
    have bash
    framework=/usr/share/bash-completion/bash_completion
    [ -r $framework ] || skip "bash-completion is not installed"
    mkdir -p data/bash-completion
    cp -R "$completions/bash" data/bash-completion/completions
    XDG_DATA_DIRS=$PWD/data bash -c '. "$1"; _completion_loader joular-analyze || _comp_load joular-analyze; complete -p joular-analyze' \
        bash $framework >out 2>err || true
    grep -q -x 'complete -F _joular_analyze joular-analyze' out || {
        show out err
        fail "it was not loaded"
    }
}

case_zsh_loads_them() {
    have zsh
    for file in "$completions"/zsh/*; do
        zsh -f -n "$file" >err 2>&1 || fail "$(cat err)"
    done
    zsh -f -c 'fpath=("$1" $fpath); autoload -U compinit; compinit -u -D; print -l ${(k)_comps}' zsh "$completions/zsh" |
        grep '^joular-' | sort >out
    printf '%s\n' joular-analyze joular-compare joular-record >wanted
    same out wanted
}

case_fish_completes() {
    have fish
    mkdir -p home/.config
    HOME=$PWD/home XDG_CONFIG_HOME=$PWD/home/.config PATH=$build:$PATH # fish asks whether the program is there
    export HOME XDG_CONFIG_HOME PATH
    fish -c "set fish_complete_path $completions/fish; complete -C 'joular-analyze --samples '" | cut -f1 | sort >out
    printf '%s\n' auto cpu-time execution >wanted
    same out wanted
    fish -c "set fish_complete_path $completions/fish; complete -C 'joular-analyze --fro'" | cut -f1 | sort >out
    printf '%s\n' --from --from-report >wanted
    same out wanted
    fish -c "set fish_complete_path $completions/fish; complete -C 'joular-record -o power.log joular-analyze --fro'" | cut -f1 >out
    grep -q -x -e --from out || {
        show out
        fail "the options of the command are not completed"
    }
}

run_cases
