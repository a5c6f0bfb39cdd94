# SPDX-License-Identifier: GPL-3.0-or-later
# completions.awk: a program's completions for bash, zsh or fish, from its --help (src/base/opts.c prints it):
#
#     joular-analyze --help | awk -v program=joular-analyze -v shell=bash -f completions.awk
#
# The words that name an option's argument tell what can be completed: what is in lower case stands for itself ("busy|capacity"),
# "[,...]" behind it makes a list of it, FILE, DIR, PID and USER are what they say, "[=FILE]" may be left out, and other words are
# known to nobody. A program whose first usage line has COMMAND completes that as it would be alone.

/^Usage: / { command = / COMMAND/ }

/^  (-[A-Za-z],|   ) --/ {
    n++
    letter[n] = substr($0, 3, 1) == "-" ? substr($0, 3, 2) : ""
    rest = substr($0, 7)
    length_of_left = match(rest, / /) ? RSTART - 1 : length(rest)
    left = substr(rest, 1, length_of_left)
    rest = substr(rest, length_of_left + 1)
    argument = ""
    if (match(left, /\[=/)) {
        optional[n] = 1
        argument = substr(left, RSTART + 2, length(left) - RSTART - 2)
        left = substr(left, 1, RSTART - 1)
    } else if (rest ~ /^ [^ ]/) {
        argument = substr(rest, 2)
        sub(/ .*/, "", argument)
        rest = substr(rest, length(argument) + 2)
    }
    name[n] = left
    sub(/^ +/, "", rest)
    help[n] = rest
    set_argument(n, argument)
    next
}

n && /^                                  [^ ]/ && !over {
    line = $0
    sub(/^ +/, "", line)
    help[n] = help[n] (help[n] == "" ? "" : " ") line
    next
}

n { over = 1 }

function set_argument(n, argument,    parts, count, i) {
    word[n] = argument
    if (argument == "")
        return
    list[n] = sub(/\[,\.\.\.\]$/, "", argument)
    count = split(argument, parts, "|")
    for (i = 1; i <= count; i++) {
        if (parts[i] ~ /^[a-z][a-z-]*$/)
            choices[n] = choices[n] (choices[n] == "" ? "" : " ") parts[i]
        else if (parts[i] ~ /^[a-z]+:[A-Z]+$/)
            choices[n] = choices[n] (choices[n] == "" ? "" : " ") substr(parts[i], 1, index(parts[i], ":"))
        else if (parts[i] ~ /^(FILE|DIR|PID|USER)$/)
            kind[n] = parts[i]
    }
}

# WORD as one word of any of the three shells
function quoted(word) {
    gsub(/'/, "'\\''", word)
    return "'" word "'"
}

function names(n, between) {
    return (letter[n] == "" ? "" : letter[n] between) name[n]
}

function bash_case(pattern, i) {
    print "        " pattern ")"
    if (list[i])
        print "            mapfile -t COMPREPLY < <(compgen -P \"${cur%\"${cur##*,}\"}\" -W '" choices[i] "' -- \"${cur##*,}\")"
    else if (choices[i] != "")
        print "            mapfile -t COMPREPLY < <(compgen -W '" choices[i] "' -- \"$cur\")"
    else if (kind[i] == "FILE" || kind[i] == "DIR")
        print "            _" fn "_files -" (kind[i] == "FILE" ? "f" : "d") " \"$cur\""
    else if (kind[i] == "PID")
        print "            mapfile -t COMPREPLY < <(compgen -W \"$(cd /proc && echo [0-9]*)\" -- \"$cur\")"
    else if (kind[i] == "USER")
        print "            mapfile -t COMPREPLY < <(compgen -u -- \"$cur\")"
    print "            return"
    print "            ;;"
}

function bash(    i, all, valued, unknown) {
    for (i = 1; i <= n; i++) {
        all = all (i == 1 ? "" : " ") names(i, " ")
        if (word[i] != "" && !optional[i])
            valued = valued (valued == "" ? "" : "|") names(i, "|")
    }
    print "_" fn "_files() {"
    print "    compopt -o filenames 2>/dev/null # fails outside of a completion, as in a test"
    print "    mapfile -t COMPREPLY < <(compgen \"$1\" -- \"$2\")"
    print "}"
    if (command) {
        print "# the command, which is word $1, and what is its own"
        print "_" fn "_command() {"
        print "    if declare -F _command_offset >/dev/null; then"
        print "        _command_offset \"$1\""
        print "    elif ((COMP_CWORD == $1)); then"
        print "        mapfile -t COMPREPLY < <(compgen -c -- \"${COMP_WORDS[COMP_CWORD]}\")"
        print "    else"
        print "        _" fn "_files -f \"${COMP_WORDS[COMP_CWORD]}\""
        print "    fi"
        print "}"
    }
    print "_" fn "() {"
    print "    local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}" (command ? " i" : "")
    print "    # bash makes \"=\" a word of its own"
    print "    if [[ $cur == = ]]; then"
    print "        cur= option+=="
    print "    elif [[ $option == = ]]; then"
    print "        option=${COMP_WORDS[COMP_CWORD - 2]}="
    print "    fi"
    if (command) {
        print "    for ((i = 1; i < COMP_CWORD; i++)); do"
        print "        case ${COMP_WORDS[i]} in"
        print "            --) _" fn "_command $((i + 1)); return ;;"
        print "            =) ((i++)) ;;"
        print "            " valued ") [[ ${COMP_WORDS[i + 1]} == = ]] || ((i++)) ;;"
        print "            -*) ;;"
        print "            *) _" fn "_command \"$i\"; return ;;"
        print "        esac"
        print "    done"
    }
    print "    COMPREPLY=()"
    print "    case $option in"
    for (i = 1; i <= n; i++) {
        if (optional[i])
            bash_case(name[i] "=", i)
        else if (choices[i] != "" || kind[i] != "")
            bash_case(names(i, "|") "|" name[i] "=", i)
        else if (word[i] != "")
            unknown = unknown (unknown == "" ? "" : "|") names(i, "|") "|" name[i] "="
    }
    if (unknown != "")
        print "        " unknown ") return ;;"
    print "    esac"
    print "    if [[ $cur == -* ]]; then"
    print "        mapfile -t COMPREPLY < <(compgen -W '" all "' -- \"$cur\")"
    if (command) {
        print "    else"
        print "        _" fn "_command \"$COMP_CWORD\""
    } else {
        print "    else"
        print "        _" fn "_files -f \"$cur\""
    }
    print "    fi"
    print "}"
    print "complete -F _" fn " " program
}

function zsh(    i, text, action, spec) {
    print "_arguments -s -S \\"
    for (i = 1; i <= n; i++) {
        text = help[i]
        gsub(/\\/, "\\\\", text)
        gsub(/\[/, "\\[", text)
        gsub(/\]/, "\\]", text)
        action = list[i] ? "_values -s , value " choices[i] : choices[i] != "" ? "(" choices[i] ")" : \
            kind[i] == "FILE" ? "_files" : kind[i] == "DIR" ? "_files -/" : kind[i] == "PID" ? "_pids" : kind[i] == "USER" ? "_users" : " "
        gsub(/:/, "\\:", action)
        spec = word[i]
        gsub(/:/, "\\:", spec)
        spec = "[" text "]" (word[i] == "" ? "" : (optional[i] ? "::" : ":") spec ":" action)
        if (help[i] ~ /repeatable/)
            printf "    '*'"
        else if (letter[i] != "")
            printf "    '(" names(i, " ") ")'"
        else
            printf "    "
        if (letter[i] != "")
            printf "{%s,%s}", letter[i] (word[i] == "" ? "" : "+"), name[i] (word[i] == "" ? "" : "=")
        else
            printf "%s", name[i] (word[i] == "" ? "" : optional[i] ? "=-" : "=")
        print quoted(spec) " \\"
    }
    if (command)
        print "    '(-)1:COMMAND:_command_names -e' \\\n    '*::ARG:_normal'"
    else
        print "    '*:FILE:_files'"
}

function fish(    i, what, letters, longs) {
    for (i = 1; i <= n; i++) {
        what = ""
        if (word[i] != "" && !optional[i]) {
            letters = letters (letter[i] == "" ? "" : " " letter[i])
            longs = longs " " name[i]
        }
        if (word[i] != "" && !optional[i])
            what = choices[i] != "" ? " -x -a " quoted(list[i] ? "(__fish_append , " choices[i] ")" : choices[i]) : \
                kind[i] == "FILE" ? " -r -F" : kind[i] == "DIR" ? " -x -a '(__fish_complete_directories)'" : \
                kind[i] == "PID" ? " -x -a '(__fish_complete_pids)'" : kind[i] == "USER" ? " -x -a '(__fish_complete_users)'" : " -x"
        print "complete -c " program (letter[i] == "" ? "" : " -s " substr(letter[i], 2)) " -l " substr(name[i], 3) what " -d " quoted(help[i])
    }
    if (command)
        print "complete -c " program " -x -a '(__fish_complete_subcommand" letters longs ")'"
}

END {
    if (!n) {
        print "completions.awk: " program " --help lists no options" > "/dev/stderr"
        exit 1
    }
    fn = program
    gsub(/-/, "_", fn)
    if (shell == "zsh")
        print "#compdef " program
    print "# Completions of " program " for " shell ", made from its --help."
    if (shell == "bash")
        bash()
    else if (shell == "zsh")
        zsh()
    else
        fish()
}
