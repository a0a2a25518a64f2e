/**
 * Starts a program with reduced rights, by means of Linux that need no privilege: Landlock, by which
 * only named files can be opened and only one port connected to, and a filter of system calls. Perl makes the calls, since
 * Node can't and nearly every Linux has Perl; it then executes the program in its own place.
 *
 * What the system doesn't support is left out ({@link file://./Confinement.ts} tests the result); what it supports and refuses ends
 * the start.
 */

/**
 * Arguments: the user to be ("" for the same), the one port to connect to ("" for no socket at all), paths that may be read,
 * "--", and the program with its arguments.
 */
const script = `
use strict;
use Config;
sub give_up { print STDERR "It could not be confined: $_[0]: $!\\n"; exit 126 }

my $uid = shift;
my $port = shift;
my @paths;
while (@ARGV and $ARGV[0] ne "--") { push @paths, shift }
shift;

my %calls = (
  x86_64 => { arch => 0xC000003E, prctl => 157, prlimit => 302, socket => 41,
    denied => [101, 310, 311, 321, 298, 323, 250, 248, 249, 425, 438, 165, 428, 429, 430, 442, 155, 272, 308] },
  aarch64 => { arch => 0xC00000B7, prctl => 167, prlimit => 261, socket => 198,
    denied => [117, 270, 271, 280, 241, 282, 219, 217, 218, 425, 438, 40, 428, 429, 430, 442, 41, 97, 268] },
);
my ($machine) = $Config{archname} =~ /^(x86_64|aarch64)-linux(?!.*x32)/ or give_up("the machine is not known");
my %nr = %{$calls{$machine}};

setpriority(0, 0, 19);

my $none = pack("Q2", 0, 0);
syscall($nr{prlimit}, 0, 4, $none, 0) == 0 or give_up("core dumps");

my $abi = syscall(444, 0, 0, 1);
my $rules = -1;
if ($abi > 0) {
  my $files = (1 << ($abi >= 5 ? 16 : $abi >= 3 ? 15 : $abi >= 2 ? 14 : 13)) - 1;
  my $all = pack("Q3", $files, 3, 3);
  $rules = syscall(444, $all, $abi >= 6 ? 24 : $abi >= 4 ? 16 : 8, 0);
  $rules >= 0 or give_up("Landlock");
  for my $path (@paths) {
    sysopen(my $file, $path, 0x280000) or next;
    my $access = 1 | 4 | (-d $file ? 8 : 0) | ($path =~ m{^/dev/} ? 2 : 0);
    my $rule = pack("Ql", $access, fileno($file));
    syscall(445, $rules, 1, $rule, 0) == 0 or give_up($path);
  }
  if ($port and $abi >= 4) {
    my $rule = pack("Q2", 2, $port + 0);
    syscall(445, $rules, 2, $rule, 0) == 0 or give_up("the port");
  }
}

if ($uid) {
  $uid += 0;
  $) = "$uid $uid";
  $( = $uid;
  ($<, $>) = ($uid, $uid);
  ($< == $uid and $> == $uid and $( eq "$uid $uid" and $) eq "$uid $uid") or give_up("the user");
}

syscall($nr{prctl}, 38, 1, 0, 0, 0) == 0 or give_up("no new privileges");
if ($rules >= 0) { syscall(446, $rules, 0) == 0 or give_up("Landlock") }

my $refuse = 0x00050001;
my @filter = ([0x20, 0, 0, 4], [0x15, 1, 0, $nr{arch}], [0x06, 0, 0, 0x80000000], [0x20, 0, 0, 0]);
push @filter, [0x35, 0, 1, 0x40000000], [0x06, 0, 0, $refuse] if $machine eq "x86_64";
push @filter, [0x15, 0, 1, $_], [0x06, 0, 0, $refuse] for @{$nr{denied}};
push @filter, $port
  ? ([0x15, 0, 3, $nr{socket}], [0x20, 0, 0, 16], [0x15, 1, 0, 2], [0x06, 0, 0, $refuse])
  : ([0x15, 0, 1, $nr{socket}], [0x06, 0, 0, $refuse]);
push @filter, [0x06, 0, 0, 0x7fff0000];
my $filter = join "", map { pack("SCCL", @$_) } @filter;
my $program = pack("Sx6P", scalar(@filter), $filter);
syscall($nr{prctl}, 22, 2, $program, 0, 0) == 0 or give_up("the filter");

exec { $ARGV[0] } @ARGV or give_up($ARGV[0]);
`

export interface Launch {
  /** The user to run as; null for the present one. Another user takes the rights of root. */
  readonly userId: number | null
  /** The port of this machine it may connect to; null for no socket at all. */
  readonly port: number | null
  /** Files and directories that may be read, and programs in them run. Below `/dev` they may be written as well. */
  readonly reads: ReadonlyArray<string>
}

/** The arguments of Perl, up to the program. */
export const launch = ({ port, reads, userId }: Launch): ReadonlyArray<string> => [
  "-e",
  script,
  "--",
  String(userId ?? ""),
  String(port ?? ""),
  ...reads,
  "--"
]
