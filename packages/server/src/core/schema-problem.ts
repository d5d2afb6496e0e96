/** An error that a compiled schema reports for a value. */
export interface SchemaError {
  readonly instancePath: string;
  readonly message: string;
  readonly keyword: string;
  readonly params?: unknown;
}

/** The path of the field with dots, empty for the whole value, and its first problem. */
export function describeProblem(errors: readonly SchemaError[]): { field: string; problem: string } {
  const [first] = errors;
  if (!first) return { field: "", problem: "is not valid" };
  const path = first.instancePath.slice(1).replaceAll("/", ".");
  if (first.keyword === "required") {
    const { requiredProperties } = (first.params ?? {}) as { requiredProperties?: readonly string[] };
    return { field: [path, requiredProperties?.[0]].filter(Boolean).join("."), problem: "is missing" };
  }
  return { field: path, problem: first.message };
}
