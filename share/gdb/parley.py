# For gdb: the stacks on which tasks of Parley wait while their workers do something else.
#
#     (gdb) source /usr/local/share/parley/gdb/parley.py
#     (gdb) parley waits                a line for each suspended wait: its number, for what, since when, whose
#     (gdb) parley backtrace 2          the stack of wait 2
#     (gdb) parley backtrace            all of them
#     (gdb) parley state                what parley::dump_state() says, on the program's standard error
#
# A suspended wait has no thread, so `thread apply all backtrace` does not show it. Its registers lie on its stack. Here
# they are put into the selected thread for as long as a backtrace takes. The process must be alive: of a core file
# nothing can be called.
import gdb

# Offsets from where the registers lie (parley/detail/stacks/switch_stack.cpp); the stack pointer is what follows them.
LAYOUTS = {
    "x86-64": (72, {"rip": 64, "rbp": 48, "rbx": 40, "r12": 32, "r13": 24, "r14": 16, "r15": 8}, "rsp"),
    "aarch64": (176, {"pc": 152, "x30": 152, "x29": 144, **{f"x{19 + i}": 64 + 8 * i for i in range(10)}}, "sp"),
}


def word(address):
    return int.from_bytes(bytes(gdb.selected_inferior().read_memory(address, 8)), "little")


def number(expression):
    return int(gdb.parse_and_eval(f"(unsigned long)({expression})"))


class Wait:
    def __init__(self, at):
        self.registers, what, self.thread, self.seconds = (word(at + 8 * i) for i in range(4))
        self.what = gdb.Value(what).cast(gdb.lookup_type("char").pointer()).string()

    def __str__(self):
        return f"for {self.what} since {self.seconds} s, suspended on thread {self.thread}"


def waits():
    """All of them, while no other thread runs."""
    found = []
    locking = gdb.parameter("scheduler-locking")
    gdb.execute("set scheduler-locking on", to_string=True)
    try:
        while at := number(f"((void*(*)(unsigned long))parley_suspended)({len(found)})"):
            found.append(Wait(at))
    finally:
        gdb.execute(f"set scheduler-locking {locking}", to_string=True)
    return found


def backtrace(wait):
    name = gdb.selected_frame().architecture().name()
    size, offsets, stack_pointer = LAYOUTS["aarch64" if name.startswith("aarch64") else "x86-64"]
    gdb.execute("frame 0", to_string=True)
    before = {r: number(f"${r}") for r in (*offsets, stack_pointer)}
    try:
        for register, offset in offsets.items():
            gdb.execute(f"set ${register} = {word(wait.registers + offset)}", to_string=True)
        gdb.execute(f"set ${stack_pointer} = {wait.registers + size}", to_string=True)
        return gdb.execute("backtrace", to_string=True)
    finally:
        for register, value in before.items():
            gdb.execute(f"set ${register} = {value}", to_string=True)


class Parley(gdb.Command):
    """Of programs that use Parley: what its tasks wait for."""

    def __init__(self):
        super().__init__("parley", gdb.COMMAND_STACK, prefix=True)


class Waits(gdb.Command):
    """The waits that have let go of their thread, a line for each."""

    def __init__(self):
        super().__init__("parley waits", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        found = waits()
        print("\n".join(f"{i}: {wait}" for i, wait in enumerate(found)) or "no wait is suspended")


class Backtrace(gdb.Command):
    """The stacks of the waits that have let go of their thread: of one by its number, or of all."""

    def __init__(self):
        super().__init__("parley backtrace", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        found = waits()
        try:
            chosen = [int(argument)] if argument else range(len(found))
            for i in chosen:
                if i < 0:
                    raise IndexError
                print(f"{i}: {found[i]}\n{backtrace(found[i])}")
        except (ValueError, IndexError):
            raise gdb.GdbError(f"there are {len(found)} suspended waits, numbered from 0")


class State(gdb.Command):
    """What parley::dump_state() says, on the program's standard error."""

    def __init__(self):
        super().__init__("parley state", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        gdb.execute("call (void)((void(*)())parley_dump_state)()")


Parley()
Waits()
Backtrace()
State()
