// What `completion SHELL` prints. kubectl asks a program and no function of the shell, so what is sourced sees to it that there is one.
// It touches nothing of kubectl's own completion: whichever is loaded first, and under whatever alias, both work.

/** completion/kubectl_complete-jobctl. Nobody can answer a question while a word is completed, and nobody reads an error. */
export const companion: readonly string[] = [
  '#!/bin/sh',
  '# kubectl (1.26 or newer) finds this on PATH and asks it how `kubectl jobctl ...` may go on.',
  'exec kubectl-jobctl __complete "$@" </dev/null 2>/dev/null',
];

/** completion/kubectl_complete-jobctl.cmd */
export const companionOfWindows: readonly string[] = ['@kubectl-jobctl __complete %* <nul 2>nul'];

/** Where it is sourced, and how kubectl's own completion and this one are. */
const places = {
  bash: ['~/.bashrc', 'source <(kubectl completion bash)', 'source <(kubectl jobctl completion bash)'],
  zsh: ['~/.zshrc', 'source <(kubectl completion zsh)', 'source <(kubectl jobctl completion zsh)'],
  fish: [
    '~/.config/fish/config.fish',
    'kubectl completion fish | source',
    'kubectl jobctl completion fish | source',
  ],
  powershell: [
    '$PROFILE',
    'kubectl completion powershell | Out-String | Invoke-Expression',
    'kubectl jobctl completion powershell | Out-String | Invoke-Expression',
  ],
} as const;

type Shell = keyof typeof places;

export const completionScript = (shell: Shell): string => [...about(shell), workOf(shell)].join('\n');

function about(shell: Shell): string[] {
  const [file, kubectls, ours] = places[shell];
  return [
    `# Completion of "kubectl jobctl" in ${shell}.`,
    '#',
    '# kubectl (1.26 or newer) does it, where its own completion is loaded: it asks a program on PATH that is called',
    '# kubectl_complete-jobctl. There are two ways to have that there:',
    '#',
    '# 1. Copy it from the folder "completion" of the release to a folder on your PATH. Nothing else is needed.',
    `# 2. Have this run by each shell, in ${file}:`,
    `#      ${kubectls}`,
    `#      ${ours}`,
    '#    Where PATH has no such program, it is written once, to a folder of its own, and that goes on PATH.',
    '',
  ];
}

function workOf(shell: Shell): string {
  switch (shell) {
    case 'bash':
    case 'zsh':
      return ofSh;
    case 'fish':
      return ofFish;
    case 'powershell':
      return ofPowerShell;
  }
}

const quoted = (lines: readonly string[], between: string): string =>
  lines.map(line => `'${line}'`).join(between);

/** Written beside and moved: another shell may start at the same moment. */
const ofSh = `if ! command -v kubectl_complete-jobctl >/dev/null 2>&1; then
  __jobctl_completion="\${XDG_CACHE_HOME:-$HOME/.cache}/kubectl-jobctl/completion"
  if [ ! -x "$__jobctl_completion/kubectl_complete-jobctl" ]; then
    mkdir -p "$__jobctl_completion" &&
      printf '%s\\n' ${quoted(companion, ' ')} >"$__jobctl_completion/new.$$" &&
      chmod +x "$__jobctl_completion/new.$$" &&
      mv -f "$__jobctl_completion/new.$$" "$__jobctl_completion/kubectl_complete-jobctl"
  fi
  export PATH="$PATH:$__jobctl_completion"
  unset __jobctl_completion
fi`;

const ofFish = `if not command -q kubectl_complete-jobctl
    set -l base $XDG_CACHE_HOME
    test -n "$base"; or set base $HOME/.cache
    set -l folder $base/kubectl-jobctl/completion
    if not test -x $folder/kubectl_complete-jobctl
        mkdir -p $folder
        and printf '%s\\n' ${quoted(companion, ' ')} >$folder/new.$fish_pid
        and chmod +x $folder/new.$fish_pid
        and mv -f $folder/new.$fish_pid $folder/kubectl_complete-jobctl
    end
    set -gx PATH $PATH $folder
end`;

const ofPowerShell = `if (-not (Get-Command kubectl_complete-jobctl -CommandType Application -ErrorAction SilentlyContinue)) {
    & {
        $onWindows = $env:OS -eq 'Windows_NT'
        $base = if ($onWindows) { $env:LOCALAPPDATA } elseif ($env:XDG_CACHE_HOME) { $env:XDG_CACHE_HOME } else { Join-Path $HOME '.cache' }
        $folder = Join-Path (Join-Path $base 'kubectl-jobctl') 'completion'
        $name = if ($onWindows) { 'kubectl_complete-jobctl.cmd' } else { 'kubectl_complete-jobctl' }
        $file = Join-Path $folder $name
        if (-not (Test-Path $file)) {
            New-Item -ItemType Directory -Force -Path $folder | Out-Null
            $lines = if ($onWindows) { @(${quoted(companionOfWindows, ', ')}) } else { @(${quoted(companion, ', ')}) }
            [IO.File]::WriteAllLines($file, [string[]]$lines)
            if (-not $onWindows) { chmod +x $file }
        }
        $env:PATH += [IO.Path]::PathSeparator + $folder
    }
}`;
