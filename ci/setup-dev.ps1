<#
.SYNOPSIS
Set a Windows machine up for work on Pawnstar: check each thing that building and testing need, and install what is
missing. Safe to run again.

.PARAMETER Check
Only report; the exit status is 1 where something needed is missing.

.EXAMPLE
ci/setup-dev.ps1 -Check
#>
[CmdletBinding()]
param([switch] $Check)

Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'
Set-Location (Join-Path $PSScriptRoot '..')

# One is enough. The first that is there makes .venv; the first is installed where none is.
$pythons = '3.13', '3.14', '3.12', '3.11'
$main = ''
$script:missing = 0

function Write-Ok([string] $name) { Write-Output "  ok        $name" }
function Write-Lacking([string] $name, [string] $advice) {
    Write-Output "  MISSING   ${name}: $advice"
    $script:missing++
}
function Write-Optional([string] $name, [string] $advice) { Write-Output "  optional  ${name}: $advice" }
function Test-Command([string] $name) { [bool] (Get-Command $name -ErrorAction SilentlyContinue) }

# Install a package by winget; true where that worked.
function Install-Package([string] $id, [string[]] $more = @()) {
    if ($Check -or -not (Test-Command 'winget')) { return $false }
    & winget install --id $id --exact --silent --accept-package-agreements --accept-source-agreements @more | Out-Null
    if ($LASTEXITCODE -ne 0) { return $false }
    # What was installed is on the path of the next process only.
    $env:Path = [Environment]::GetEnvironmentVariable('Path', 'Machine') + ';' +
        [Environment]::GetEnvironmentVariable('Path', 'User')
    return $true
}

# The installation folder of a Visual Studio that has the C++ tools for x86 and x64; empty where there is none.
function Get-Compiler {
    $vswhere = Join-Path ${env:ProgramFiles(x86)} 'Microsoft Visual Studio\Installer\vswhere.exe'
    if (-not (Test-Path $vswhere)) { return '' }
    $component = 'Microsoft.VisualStudio.Component.VC.Tools.x86.x64'
    return [string] (& $vswhere -latest -products '*' -requires $component -property installationPath)
}

# The interpreter of a version, by the launcher; empty where there is none.
function Get-Interpreter([string] $version) {
    if (-not (Test-Command 'py')) { return '' }
    try {
        $found = & py "-$version" -c 'import sys; print(sys.executable)' 2>$null
        if ($LASTEXITCODE -eq 0) { return [string] $found }
    } catch {
        # The launcher says on standard error that there is none.
    }
    return ''
}

Write-Output 'Tools:'
if ((Test-Command 'git') -or ((Install-Package 'Git.Git') -and (Test-Command 'git'))) {
    Write-Ok 'git'
} else {
    Write-Optional 'git' 'commits, hooks, and the number of commits in the version: winget install Git.Git'
}
if (-not (Get-Compiler)) {
    $workload = '--wait --quiet --add Microsoft.VisualStudio.Workload.VCTools --includeRecommended'
    Install-Package 'Microsoft.VisualStudio.2022.BuildTools' @('--override', $workload) | Out-Null
}
if (Get-Compiler) {
    Write-Ok 'C compiler'
} else {
    Write-Lacking 'C compiler' 'the Visual Studio build tools, with "Desktop development with C++"'
}
if (Test-Command 'bash') {
    Write-Ok 'bash'
} else {
    Write-Lacking 'bash' "the git hooks run in it; Git for Windows has one (add Git's bin folder to the path)"
}
if (Test-Command 'stockfish') {
    Write-Ok 'stockfish'
} else {
    Write-Optional 'stockfish' 'the yardstick of measurements, which need a POSIX system'
}

Write-Output 'Interpreters:'
if (-not ($pythons | Where-Object { Get-Interpreter $_ })) {
    Install-Package "Python.Python.$($pythons[0])" | Out-Null
}
foreach ($version in $pythons) {
    $python = Get-Interpreter $version
    if ($python) {
        # Headers and venv come with Python on Windows.
        Write-Ok "CPython $version ($python)"
        if (-not $main) { $main = $version }
    } else {
        Write-Optional "CPython $version" "tested with where it is there: winget install Python.Python.$version"
    }
}
if (-not $main) {
    Write-Lacking 'CPython' "one of 3.11 to 3.14: winget install Python.Python.$($pythons[0])"
}

Write-Output 'Working environment (.venv):'
$venv = '.venv\Scripts\python.exe'
$python = if ($main) { Get-Interpreter $main } else { '' }
if (-not (Test-Path $venv) -and -not $Check -and $python) { & $python -m venv .venv }

# pip itself compares what is there with what is wanted, without asking an index.
function Test-Package {
    & $venv -m pip install --disable-pip-version-check --quiet --no-index --dry-run -r ci/requirements-dev.txt *> $null
    return $LASTEXITCODE -eq 0
}

if (-not (Test-Path $venv)) {
    Write-Lacking '.venv' 'made by this script with the first interpreter above'
} else {
    if (-not (Test-Package) -and -not $Check) {
        & $venv -m pip install --disable-pip-version-check --quiet -r ci/requirements-dev.txt
    }
    if (Test-Package) {
        Write-Ok 'packages of ci/requirements-dev.txt'
    } else {
        Write-Lacking 'packages' "$venv -m pip install -r ci/requirements-dev.txt"
    }
}

Write-Output 'Git hooks:'
function Test-Hook {
    if (-not (Test-Command 'git')) { return $false }
    # Both that .pre-commit-config.yaml asks for.
    foreach ($name in 'pre-commit', 'commit-msg') {
        $hook = & git rev-parse --git-path "hooks/$name"
        if ($LASTEXITCODE -ne 0 -or -not (Test-Path $hook)) { return $false }
        if (-not (Select-String -Quiet -Path $hook -Pattern 'pre-commit')) { return $false }
    }
    return $true
}

if (-not (Test-Hook) -and -not $Check -and (Test-Path $venv)) { & $venv -m pre_commit install | Out-Null }
if (Test-Hook) { Write-Ok 'pre-commit, commit-msg' } else { Write-Lacking 'hooks' "$venv -m pre_commit install" }

if ($script:missing -gt 0) {
    Write-Output "$($script:missing) missing."
    exit 1
}
Write-Output 'Ready.'
