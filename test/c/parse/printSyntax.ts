import type {
  Attribute,
  BlockItem,
  Declaration,
  Declarator,
  Designator,
  Expr,
  ExternalItem,
  Initializer,
  Specifiers,
  TranslationUnit,
  TypeName,
} from "../../../src/c/ast.ts";

/**
 * The tree as C again, with every parenthesis it needs and more: short to read in tests, and a compiler must make the
 * same of it as of the original.
 */
export function printUnit(unit: TranslationUnit): string {
  return unit.items.map(printExternal).join("\n");
}

function printExternal(item: ExternalItem): string {
  if (item.kind !== "functionDefinition") return printItem(item);
  const oldStyle = item.parameterDeclarations.map(printDeclaration).join(" ");
  const head = `${printSpecifiers(item.specifiers)} ${printDeclarator(item.declarator)}`;
  return `${head}${oldStyle ? ` ${oldStyle}` : ""} ${printItem(item.body)}`;
}

export function printItem(item: BlockItem): string {
  switch (item.kind) {
    case "declaration":
      return printDeclaration(item);
    case "staticAssert":
      return `_Static_assert(${printExpr(item.condition)});`;
    case "block":
      return `{ ${item.items.map((inner) => `${printItem(inner)} `).join("")}}`;
    case "expressionStatement":
      return `${printExpr(item.expression)};`;
    case "empty":
      return ";";
    case "if":
      return `if (${printExpr(item.condition)}) ${printItem(item.then)}${item.else ? ` else ${printItem(item.else)}` : ""}`;
    case "while":
      return `while (${printExpr(item.condition)}) ${printItem(item.body)}`;
    case "doWhile":
      return `do ${printItem(item.body)} while (${printExpr(item.condition)});`;
    case "for": {
      const init =
        item.init === null
          ? ";"
          : item.init.kind === "declaration"
            ? printDeclaration(item.init)
            : `${printExpr(item.init)};`;
      const condition = item.condition ? ` ${printExpr(item.condition)}` : "";
      const update = item.update ? ` ${printExpr(item.update)}` : "";
      return `for (${init}${condition};${update}) ${printItem(item.body)}`;
    }
    case "switch":
      return `switch (${printExpr(item.value)}) ${printItem(item.body)}`;
    case "case":
      return `case ${printExpr(item.from)}${item.to ? ` ... ${printExpr(item.to)}` : ""}: ${printItem(item.body)}`;
    case "default":
      return `default: ${printItem(item.body)}`;
    case "label":
      return `${item.name}: ${printItem(item.body)}`;
    case "goto":
      return `goto ${item.label};`;
    case "watch":
    case "computedGoto":
      return "goto *;";
    case "return":
      return item.value ? `return ${printExpr(item.value)};` : "return;";
    case "asm":
      return '__asm__("");';
    default:
      return `${item.kind};`;
  }
}

function printDeclaration(declaration: Declaration): string {
  const declarators = declaration.declarators.map((entry) => {
    const width = entry.bitWidth ? ` : ${printExpr(entry.bitWidth)}` : "";
    return `${printDeclarator(entry.declarator)}${width}${entry.initializer ? ` = ${printInitializer(entry.initializer)}` : ""}`;
  });
  return `${[printSpecifiers(declaration.specifiers), declarators.join(", ")].filter(Boolean).join(" ")};`;
}

export function printSpecifiers(specifiers: Specifiers): string {
  return [
    ...(specifiers.storage ? [specifiers.storage] : []),
    ...(specifiers.inline ? ["inline"] : []),
    ...specifiers.unsupported.map(({ word }) => word),
    ...printAttributes(specifiers.attributes),
    printType(specifiers.type),
  ].join(" ");
}

/** Those that say something about layout or control flow. */
const PRINTED = new Set(["packed", "aligned", "noreturn", "vector_size"]);

function printAttributes(attributes: readonly Attribute[]): string[] {
  return attributes
    .filter(({ name }) => PRINTED.has(name))
    .map(({ name, arguments: operands }) => {
      const list = operands.length > 0 ? `(${operands.map(printExpr).join(", ")})` : "";
      return `__attribute__((${name}${list}))`;
    });
}

function printType(type: Specifiers["type"]): string {
  switch (type.kind) {
    case "basic":
      return type.words.length > 0 ? type.words.join(" ") : "int";
    case "typedefName":
      return type.name;
    case "struct": {
      const attributes = printAttributes(type.attributes)
        .map((text) => ` ${text}`)
        .join("");
      const fields = type.fields ? ` { ${type.fields.map((field) => `${printDeclaration(field)} `).join("")}}` : "";
      return `${type.union ? "union" : "struct"}${attributes}${type.tag ? ` ${type.tag}` : ""}${fields}`;
    }
    case "enum": {
      const entries = type.enumerators?.map((e) => (e.value ? `${e.name} = ${printExpr(e.value)}` : e.name));
      return `enum${type.tag ? ` ${type.tag}` : ""}${entries ? ` { ${entries.join(", ")} }` : ""}`;
    }
    case "typeof":
      return `typeof(${type.operand.kind === "typeName" ? printTypeName(type.operand) : printExpr(type.operand)})`;
  }
}

function printDeclarator(declarator: Declarator): string {
  switch (declarator.kind) {
    case "name":
      return declarator.name ?? "";
    case "pointer":
      return `*${printDeclarator(declarator.of)}`;
    case "array":
      return `${wrap(declarator.of)}[${declarator.length ? printExpr(declarator.length) : ""}]`;
    case "function": {
      const parameters = declarator.parameters.map((p) =>
        `${printSpecifiers(p.specifiers)} ${printDeclarator(p.declarator)}`.trim(),
      );
      const all = [...parameters, ...declarator.identifiers, ...(declarator.variadic ? ["..."] : [])];
      const text = all.length > 0 ? all.join(", ") : declarator.unprototyped ? "" : "void";
      return `${wrap(declarator.of)}(${text})`;
    }
  }
}

function wrap(declarator: Declarator): string {
  return declarator.kind === "pointer" ? `(${printDeclarator(declarator)})` : printDeclarator(declarator);
}

export function printTypeName(type: TypeName): string {
  const declarator = printDeclarator(type.declarator);
  return declarator === "" ? printSpecifiers(type.specifiers) : `${printSpecifiers(type.specifiers)} ${declarator}`;
}

function printInitializer(initializer: Initializer): string {
  if (initializer.kind === "expression") return printExpr(initializer.value);
  const items = initializer.items.map((item) => {
    const designators = item.designators.map(printDesignator).join("");
    return `${designators ? `${designators} = ` : ""}${printInitializer(item.value)}`;
  });
  return `{${items.join(", ")}}`;
}

function printDesignator(designator: Designator): string {
  if (designator.kind === "field") return `.${designator.name}`;
  return `[${printExpr(designator.from)}${designator.to ? ` ... ${printExpr(designator.to)}` : ""}]`;
}

export function printExpr(e: Expr): string {
  switch (e.kind) {
    case "identifier":
      return e.name;
    case "number":
      return e.text;
    case "character":
      if (e.prefix !== "") return `((__typeof__(${e.prefix}'a'))${e.value})`;
      return e.value >= -128 && e.value < 128 ? `'${octal(e.value & 0xff)}'` : `(${e.value})`;
    case "string":
      return `${e.prefix}"${e.units.map((unit) => printUnitOf(unit, e.prefix)).join("")}"`;
    case "unary":
      return `(${e.operator}${printExpr(e.operand)})`;
    case "increment":
      return e.prefix ? `(${e.operator}${printExpr(e.operand)})` : `(${printExpr(e.operand)}${e.operator})`;
    case "binary":
      return `(${printExpr(e.left)} ${e.operator} ${printExpr(e.right)})`;
    case "assignment":
      return `(${printExpr(e.left)} ${e.operator ?? ""}= ${printExpr(e.right)})`;
    case "conditional":
      return `(${printExpr(e.condition)} ? ${e.then ? printExpr(e.then) : ""} : ${printExpr(e.else)})`;
    case "comma":
      return `(${printExpr(e.left)}, ${printExpr(e.right)})`;
    case "cast":
      return `((${printTypeName(e.type)})${printExpr(e.operand)})`;
    case "compoundLiteral":
      return `((${printTypeName(e.type)})${printInitializer(e.initializer)})`;
    case "subscript":
      return `${printExpr(e.array)}[${printExpr(e.index)}]`;
    case "member":
      return `${printExpr(e.object)}${e.arrow ? "->" : "."}${e.field}`;
    case "call":
      return `${printExpr(e.callee)}(${e.arguments.map(printExpr).join(", ")})`;
    case "sizeofExpr":
      return `sizeof(${printExpr(e.operand)})`;
    case "sizeofType":
      return `sizeof(${printTypeName(e.operand)})`;
    case "alignof":
      return `_Alignof(${printTypeName(e.operand)})`;
    case "offsetof":
      return `__builtin_offsetof(${printTypeName(e.type)}, ${e.path.map(printDesignator).join("").slice(1)})`;
    case "vaArg":
      return `__builtin_va_arg(${printExpr(e.list)}, ${printTypeName(e.type)})`;
    case "generic":
      return `_Generic(${printExpr(e.control)}${e.associations.map((a) => `, ${a.type ? printTypeName(a.type) : "default"}: ${printExpr(a.value)}`).join("")})`;
    case "statementExpression":
      return `(${printItem(e.body)})`;
    case "labelAddress":
      return `(&&${e.label})`;
    case "choice":
      return printExpr(e.otherwise);
  }
}

function octal(unit: number): string {
  return `\\${unit.toString(8).padStart(3, "0")}`;
}

function printUnitOf(unit: number, prefix: string): string {
  if (unit >= 32 && unit < 127 && unit !== 34 && unit !== 92 && unit !== 63) return String.fromCharCode(unit);
  return prefix === "" || unit < 512 ? octal(unit) : `\\x${unit.toString(16)}""`;
}
