import type { LoadedDemo } from "./demo/load.ts";

/** What a start says at its end. */
export interface Welcome {
  readonly url: string;
  /** The address with the key, while nobody can sign in. */
  readonly setup: string | null;
  /** Of the demo city that this start loaded. */
  readonly demo: LoadedDemo | null;
  /** A demo city that an earlier start loaded. */
  readonly hasDemo: boolean;
  /** What was typed: `npm start` in a checkout, or `serve`, which an installation without npm has too. */
  readonly by: "start" | "serve";
}

/** The command that prints the logins of the demo city again. */
export const loginsCommand = "npx rollcall demo logins";

const driveCommand = "npx rollcall demo drive";

/** User name, password and character of each login, in columns. */
export function loginLines(logins: LoadedDemo["logins"]): string[] {
  const widest = Math.max(...logins.map(({ username }) => username.length));
  return logins.map(
    ({ username, password, plays }) => `  ${username.padEnd(widest)}  ${(password ?? "(kept)").padEnd(16)}  ${plays}`,
  );
}

const listsWithoutEffect = "rollcall config print";

function firstSteps({ setup, demo, hasDemo }: Welcome): string[] {
  if (setup !== null) return ["Open this address to create the first admin and to connect the game server:", `  ${setup}`, ""];
  if (demo !== null) return ["Sign in as one of:", ...loginLines(demo.logins), ""];
  if (hasDemo) return ["Demo logins with new passwords, in another terminal:", `  ${loginsCommand}`, ""];
  return [];
}

/** The lines of the box at the end of a start. */
export function welcomeLines(welcome: Welcome): string[] {
  const { demo, setup, url, by } = welcome;
  const next = [
    ...(demo === null ? [] : [`Show the logins again, with new passwords: ${loginsCommand}`]),
    ...(demo !== null || welcome.hasDemo ? [`Let people of the demo city go on duty and drive around: ${driveCommand}`] : []),
    ...(setup === null ? ["Roles, settings and system status: in the control panel, as admin"] : []),
    `Check the installation: ${by === "start" ? "npx rollcall" : "rollcall"} doctor`,
    "Your own community instead of the demo: README.md, “Run it for your community”",
    `Stop: Ctrl+C; start again: ${by === "start" ? "npm start" : "rollcall serve"}`,
  ].filter((line) => demo !== null || welcome.hasDemo || !line.includes("instead of the demo"));
  return [`Rollcall is at ${url}`, "", ...firstSteps(welcome), "Next:", ...next.map((line) => `  ${line}`)];
}

/** What a start says of options that this version does not use yet; in short where somebody sits in front of it. */
export function withoutEffectText(options: readonly string[], isShort: boolean): string {
  return isShort && options.length > 1
    ? `${options.length} options have no effect in this version; \`${listsWithoutEffect}\` lists them`
    : `options without effect in this version: ${options.join(", ")}`;
}

/** A frame around lines, as wide as the longest of them; without the frame where the terminal would break it. */
export function boxed(lines: readonly string[], columns = Infinity): string {
  const width = Math.max(...lines.map(({ length }) => length));
  if (width + 4 > columns) return `${lines.join("\n")}\n`;
  const edge = "─".repeat(width + 2);
  const rows = lines.map((line) => `│ ${line}${" ".repeat(width - line.length)} │`);
  return [`┌${edge}┐`, ...rows, `└${edge}┘`, ""].join("\n");
}
