/* A stack machine with jumps, calls and local slots. */
#include <assert.h>
#include <string.h>

typedef enum {
    OP_HALT, OP_PUSH, OP_POP, OP_DUP, OP_SWAP, OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_LESS, OP_EQUAL,
    OP_JUMP, OP_JUMP_IF_ZERO, OP_LOAD, OP_STORE, OP_CALL, OP_RETURN, OP_PRINT
} Opcode;

typedef struct {
    Opcode op;
    int arg;
} Instruction;

enum { STACK_SIZE = 32, LOCALS = 8, CALL_DEPTH = 8, OUT_SIZE = 16 };

typedef enum { VM_OK, VM_STACK, VM_ZERO, VM_BAD_OP, VM_STEPS } VmStatus;

typedef struct {
    const Instruction *code;
    int length;
    int pc;
    int stack[STACK_SIZE];
    int sp;
    int locals[LOCALS];
    int returns[CALL_DEPTH];
    int depth;
    int out[OUT_SIZE];
    int n_out;
    int steps;
} Vm;

static void vm_init(Vm *vm, const Instruction *code, int length)
{
    memset(vm, 0, sizeof(Vm));
    vm->code = code;
    vm->length = length;
}

static int need(const Vm *vm, int inputs, int outputs)
{
    return vm->sp >= inputs && vm->sp - inputs + outputs <= STACK_SIZE;
}

static VmStatus binary(Vm *vm, Opcode op)
{
    int b, a, r = 0;

    if (!need(vm, 2, 1))
        return VM_STACK;
    b = vm->stack[--vm->sp];
    a = vm->stack[--vm->sp];
    switch (op) {
    case OP_ADD: r = a + b; break;
    case OP_SUB: r = a - b; break;
    case OP_MUL: r = a * b; break;
    case OP_DIV:
        if (b == 0)
            return VM_ZERO;
        r = a / b;
        break;
    case OP_LESS: r = a < b; break;
    case OP_EQUAL: r = a == b; break;
    default: return VM_BAD_OP;
    }
    vm->stack[vm->sp++] = r;
    return VM_OK;
}

static VmStatus control(Vm *vm, Instruction in)
{
    switch (in.op) {
    case OP_JUMP:
        vm->pc = in.arg;
        return VM_OK;
    case OP_JUMP_IF_ZERO:
        if (!need(vm, 1, 0))
            return VM_STACK;
        if (vm->stack[--vm->sp] == 0)
            vm->pc = in.arg;
        return VM_OK;
    case OP_CALL:
        if (vm->depth == CALL_DEPTH)
            return VM_STACK;
        vm->returns[vm->depth++] = vm->pc;
        vm->pc = in.arg;
        return VM_OK;
    case OP_RETURN:
        if (vm->depth == 0)
            return VM_STACK;
        vm->pc = vm->returns[--vm->depth];
        return VM_OK;
    default:
        return VM_BAD_OP;
    }
}

static VmStatus step(Vm *vm)
{
    Instruction in = vm->code[vm->pc++];

    vm->steps++;
    switch (in.op) {
    case OP_PUSH:
        if (!need(vm, 0, 1))
            return VM_STACK;
        vm->stack[vm->sp++] = in.arg;
        return VM_OK;
    case OP_POP:
        if (!need(vm, 1, 0))
            return VM_STACK;
        vm->sp--;
        return VM_OK;
    case OP_DUP:
        if (!need(vm, 1, 2))
            return VM_STACK;
        vm->stack[vm->sp] = vm->stack[vm->sp - 1];
        vm->sp++;
        return VM_OK;
    case OP_SWAP: {
        int t;
        if (!need(vm, 2, 2))
            return VM_STACK;
        t = vm->stack[vm->sp - 1];
        vm->stack[vm->sp - 1] = vm->stack[vm->sp - 2];
        vm->stack[vm->sp - 2] = t;
        return VM_OK;
    }
    case OP_LOAD:
        if (!need(vm, 0, 1))
            return VM_STACK;
        vm->stack[vm->sp++] = vm->locals[in.arg];
        return VM_OK;
    case OP_STORE:
        if (!need(vm, 1, 0))
            return VM_STACK;
        vm->locals[in.arg] = vm->stack[--vm->sp];
        return VM_OK;
    case OP_PRINT:
        if (!need(vm, 1, 0))
            return VM_STACK;
        if (vm->n_out < OUT_SIZE)
            vm->out[vm->n_out++] = vm->stack[vm->sp - 1];
        vm->sp--;
        return VM_OK;
    case OP_JUMP:
    case OP_JUMP_IF_ZERO:
    case OP_CALL:
    case OP_RETURN:
        return control(vm, in);
    default:
        return binary(vm, in.op);
    }
}

static VmStatus run(Vm *vm, int max_steps)
{
    while (vm->pc < vm->length && vm->code[vm->pc].op != OP_HALT) {
        VmStatus s;
        if (vm->steps >= max_steps)
            return VM_STEPS;
        s = step(vm);
        if (s != VM_OK)
            return s;
    }
    return VM_OK;
}

#define LENGTH(code) ((int)(sizeof(code) / sizeof((code)[0])))

static void test_arithmetic(void)
{
    static const Instruction code[] = {
        { OP_PUSH, 7 }, { OP_PUSH, 3 }, { OP_SUB, 0 }, { OP_DUP, 0 }, { OP_MUL, 0 },
        { OP_PUSH, 5 }, { OP_DIV, 0 }, { OP_PRINT, 0 },
    };
    Vm vm;
    vm_init(&vm, code, LENGTH(code));
    assert(run(&vm, 100) == VM_OK);
    assert(vm.n_out == 1);
    assert(vm.out[0] == 3);
    assert(vm.sp == 0);
    assert(vm.steps == 8);
}

static void test_loop(void)
{
    static const Instruction code[] = {
        { OP_PUSH, 0 }, { OP_STORE, 0 }, { OP_PUSH, 1 }, { OP_STORE, 1 },
        { OP_LOAD, 1 }, { OP_PUSH, 6 }, { OP_LESS, 0 }, { OP_JUMP_IF_ZERO, 17 },
        { OP_LOAD, 0 }, { OP_LOAD, 1 }, { OP_ADD, 0 }, { OP_STORE, 0 },
        { OP_LOAD, 1 }, { OP_PUSH, 1 }, { OP_ADD, 0 }, { OP_STORE, 1 },
        { OP_JUMP, 4 }, { OP_LOAD, 0 }, { OP_PRINT, 0 }, { OP_HALT, 0 },
    };
    Vm vm;
    vm_init(&vm, code, LENGTH(code));
    assert(run(&vm, 1000) == VM_OK);
    assert(vm.out[0] == 15);
    assert(vm.locals[1] == 6);
}

static void test_calls(void)
{
    static const Instruction code[] = {
        { OP_PUSH, 5 }, { OP_CALL, 5 }, { OP_CALL, 5 }, { OP_PRINT, 0 }, { OP_HALT, 0 },
        { OP_PUSH, 2 }, { OP_SWAP, 0 }, { OP_SUB, 0 }, { OP_RETURN, 0 },
    };
    Vm vm;
    vm_init(&vm, code, LENGTH(code));
    assert(run(&vm, 100) == VM_OK);
    assert(vm.out[0] == 5);
    assert(vm.depth == 0);
}

static void test_errors(void)
{
    static const Instruction under[] = { { OP_PUSH, 1 }, { OP_ADD, 0 } };
    static const Instruction zero[] = { { OP_PUSH, 1 }, { OP_PUSH, 0 }, { OP_DIV, 0 } };
    static const Instruction back[] = { { OP_RETURN, 0 } };
    static const Instruction empty[] = { { OP_POP, 0 } };
    Vm vm;
    vm_init(&vm, under, LENGTH(under));
    assert(run(&vm, 100) == VM_STACK);
    vm_init(&vm, zero, LENGTH(zero));
    assert(run(&vm, 100) == VM_ZERO);
    vm_init(&vm, back, LENGTH(back));
    assert(run(&vm, 100) == VM_STACK);
    vm_init(&vm, empty, LENGTH(empty));
    assert(run(&vm, 100) == VM_STACK);
}

static void test_limits(void)
{
    static const Instruction forever[] = { { OP_PUSH, 1 }, { OP_JUMP, 0 } };
    static const Instruction spin[] = { { OP_JUMP, 0 } };
    static const Instruction deep[] = { { OP_CALL, 0 } };
    Vm vm;
    vm_init(&vm, forever, LENGTH(forever));
    assert(run(&vm, 1000) == VM_STACK);
    assert(vm.sp == STACK_SIZE);
    vm_init(&vm, spin, LENGTH(spin));
    assert(run(&vm, 50) == VM_STEPS);
    assert(vm.steps == 50);
    vm_init(&vm, deep, LENGTH(deep));
    assert(run(&vm, 50) == VM_STACK);
    assert(vm.depth == CALL_DEPTH);
}

static void test_compare(void)
{
    static const Instruction code[] = {
        { OP_PUSH, 4 }, { OP_PUSH, 4 }, { OP_EQUAL, 0 }, { OP_PRINT, 0 },
        { OP_PUSH, 4 }, { OP_PUSH, 4 }, { OP_LESS, 0 }, { OP_PRINT, 0 },
        { OP_PUSH, 9 }, { OP_POP, 0 }, { OP_LOAD, 3 }, { OP_PRINT, 0 },
    };
    Vm vm;
    vm_init(&vm, code, LENGTH(code));
    assert(run(&vm, 100) == VM_OK);
    assert(vm.n_out == 3);
    assert(vm.out[0] == 1 && vm.out[1] == 0 && vm.out[2] == 0);
}

int main(void)
{
    test_arithmetic();
    test_loop();
    test_calls();
    test_errors();
    test_limits();
    test_compare();
    return 0;
}
