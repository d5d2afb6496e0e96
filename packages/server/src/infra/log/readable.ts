type Head = Readonly<Partial<Record<"level" | "time" | "subsystem" | "msg", string>>>;

/** Converts a JSON line to a readable one: time, level, subsystem, message, fields, and stacks below. */
export function readableLine(json: string): string {
  const { level = "", time = "", subsystem = "", msg = "", ...fields } = JSON.parse(json) as Head & Record<string, unknown>;
  const stacks: string[] = [];
  const pairs = Object.entries(fields).map(([key, value]) => `${key}=${show(liftStack(value, stacks))}`);
  const clock = time.slice(11, 23);
  const head = `${clock} ${level.toUpperCase().padEnd(5)} ${subsystem.padEnd(12)} ${escapeControls(msg)}`;
  const lines = [
    [head, ...pairs].join("  ").trimEnd(),
    ...stacks.flatMap((stack) => stack.split("\n").map((line) => `    ${escapeControls(line)}`)),
  ];
  return `${lines.join("\n")}\n`;
}

/** Fields of a warning that say what happened; its others are for programs. */
const shownOnTerminal = ["err", "reason"];

/** Converts JSON lines to those for people who watch the program start; the migrations of a start become one line. */
export function terminalLines(): (json: string) => string {
  let migrations = 0;
  return (json) => {
    const { level, time = "", migration } = JSON.parse(json) as Head & { migration?: unknown };
    if (level === "info" && typeof migration === "string") {
      migrations += 1;
      return "";
    }
    const applied = migrations === 1 ? "1 migration" : `${migrations} migrations`;
    const before = migrations === 0 ? "" : `${time.slice(11, 19)}  ${applied} applied\n`;
    migrations = 0;
    return before + terminalLine(json);
  };
}

/** When and what, and what is wrong. */
function terminalLine(json: string): string {
  const { level = "", time = "", msg = "", ...fields } = JSON.parse(json) as Head & Record<string, unknown>;
  const isGrave = level === "warn" || level === "error";
  const mark = isGrave ? `${level === "warn" ? "Warning" : "Error"}: ` : "";
  const details = Object.entries(fields)
    .filter(([key]) => isGrave && shownOnTerminal.includes(key))
    .map(([, value]) => show(messageOf(value)));
  return `${time.slice(11, 19)}  ${[mark + escapeControls(msg), ...details].join("  ")}\n`;
}

const messageOf = (value: unknown) => (typeof value === "object" && value !== null && "message" in value ? value.message : value);

/** Removes the stacks from errors, outermost first, to print them as lines. */
function liftStack(value: unknown, stacks: string[]): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { stack, ...rest } = value as Record<string, unknown>;
  if (typeof stack === "string") stacks.push(stack);
  else if (stack !== undefined) rest["stack"] = stack;
  return Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, liftStack(inner, stacks)]));
}

function show(value: unknown): string {
  if (typeof value === "string") return /^[^\s"=]+$/.test(value) ? escapeControls(value) : JSON.stringify(value);
  return JSON.stringify(value);
}

/** Line breaks and terminal codes in logged text must not forge lines. */
function escapeControls(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
