import type { BrokerUrl } from "#core/dsn.ts";
import { placeBroker } from "./brokerUrl.ts";
import { checkAcross } from "./checks/across.ts";
import { checkContext } from "./checks/context.ts";
import { checkPaths } from "./checks/paths.ts";
import { checkSecrets } from "./checks/secrets.ts";
import { checkTracing } from "./checks/tracing.ts";
import { applyEnvironment, type Environment, expandAttributes, readChatApiUrl } from "./environment.ts";
import { compareFindings, type Finding } from "./finding.ts";
import { locateConfig } from "./locate.ts";
import { readTree, type Findings } from "./read.ts";
import { schema, type ReadConfig } from "./schema/index.ts";
import { leavesOf } from "./schema/option.ts";
import { nodeAt } from "./walk.ts";
import { parseTree, treeOf, type Place, type TreeNode } from "./tree.ts";

/** The validated configuration, with the nesting and names of the document. Durations are milliseconds, paths absolute. */
export type Config = Omit<ReadConfig, "nats" | "storage" | "chat" | "postalsFile"> & {
  readonly postalsFile: {
    readonly path: string;
    /** Whether it is configured; that the default does not exist is no fault. */
    readonly isSet: boolean;
  };
  readonly chat: ReadConfig["chat"] & {
    /** From `ROLLCALL_CHAT_API_URL`, without a trailing slash; null means the real chat platform. */
    readonly apiURL: string | null;
  };
  readonly nats: Omit<ReadConfig["nats"], "url"> & { readonly url: BrokerUrl };
  readonly storage: Omit<ReadConfig["storage"], "objectstore"> & {
    readonly objectstore: Omit<ReadConfig["storage"]["objectstore"], "endpoint"> & {
      /** URL with scheme. */
      readonly endpoint: string | null;
    };
  };
};

/** The source of the effective value of an option. */
export interface OptionSource {
  readonly path: string;
  readonly place: Place;
  /** As in the document, with masked secrets. */
  readonly shown: unknown;
  /** Why `shown` is not what stands at the place; null where it is. */
  readonly because: string | null;
  readonly inEffect: boolean;
}

export interface LoadedConfig {
  readonly ok: true;
  readonly file: string;
  readonly config: Config;
  readonly sources: readonly OptionSource[];
  readonly warnings: readonly Finding[];
  /** What is no fault, and worth knowing. */
  readonly hints: readonly Finding[];
  /** Paths of options that this release validates but does not use yet. */
  readonly notInEffect: readonly string[];
}
export interface RefusedConfig {
  readonly ok: false;
  /** Null when no file was found. */
  readonly file: string | null;
  readonly problems: readonly Finding[];
  readonly warnings: readonly Finding[];
}

export interface LoadOptions {
  /** The value of `--config`. */
  readonly file?: string | undefined;
  readonly env?: Environment;
  readonly cwd?: string;
  /** The second folder of the lookup, `/config` by default. */
  readonly systemDirectory?: string;
}

/**
 * Finds, reads and validates the configuration. All problems are returned at once; the process must not
 * start with any (exit code 78).
 */
export function loadConfig(options: LoadOptions = {}): LoadedConfig | RefusedConfig {
  const { file, env = process.env, cwd = process.cwd(), systemDirectory = "/config" } = options;
  const located = locateConfig({ file, env, cwd, systemDirectory });
  if ("what" in located) {
    const problem: Finding = {
      path: "(file)",
      what: located.what,
      instead: located.instead,
      place: { kind: "file", file: located.file, line: 1, column: 1 },
    };
    return { ok: false, file: null, problems: [problem], warnings: [] };
  }
  const findings: Findings = { problems: [], warnings: [], hints: [] };
  const parsed = parseTree(located.text, (line, column) => ({
    kind: "file",
    file: located.file,
    line,
    column,
  }));
  findings.problems.push(...parsed.problems);
  const isReadable = !parsed.problems.some((problem) => problem.path === "(document)");
  if (!isReadable) return { ok: false, file: located.file, ...sorted(findings) };
  const tree = applyEnvironment(parsed.tree, env, cwd, findings);
  const draft = readTree(tree, cwd, findings);
  const context = checkContext(draft, tree, findings);
  const chatApiURL = readChatApiUrl(env, findings);
  checkSecrets(context);
  checkAcross(context);
  checkTracing(context, env);
  checkPaths(context);
  const { problems, warnings, hints } = sorted(findings);
  if (problems.length > 0) return { ok: false, file: located.file, problems, warnings };
  const config = settleConfig(draft as unknown as ReadConfig, {
    cwd,
    env,
    chatApiURL,
    isPostalsSet: context.isSet("postalsFile"),
  });
  const sources = listSources(tree, config, cwd);
  const notInEffect = sources.filter((source) => !source.inEffect).map((source) => source.path);
  return { ok: true, file: located.file, config, sources, warnings, hints, notInEffect };
}

function sorted(findings: Findings): Findings {
  return {
    problems: findings.problems.toSorted(compareFindings),
    warnings: findings.warnings.toSorted(compareFindings),
    hints: findings.hints.toSorted(compareFindings),
  };
}

/** Resolves the values that depend on other options. */
function settleConfig(
  read: ReadConfig,
  given: { readonly cwd: string; readonly env: Environment; readonly chatApiURL: string | null; readonly isPostalsSet: boolean },
): Config {
  const { cwd, env, chatApiURL: apiURL, isPostalsSet: isSet } = given;
  const { endpoint, useSSL } = read.storage.objectstore;
  const scheme = endpoint?.scheme ?? (useSSL ? "https" : "http");
  const objectstore = {
    ...read.storage.objectstore,
    endpoint: endpoint === null ? null : `${scheme}://${endpoint.host}`,
  };
  return {
    ...read,
    nats: { ...read.nats, url: placeBroker(read.nats.url, read.database.dsn, cwd) },
    storage: { ...read.storage, objectstore },
    postalsFile: { path: read.postalsFile, isSet },
    otlp: { ...read.otlp, attributes: expandAttributes(read.otlp.attributes, env, () => undefined) },
    chat: { ...read.chat, apiURL, enabled: read.chat.enabled && read.chat.token !== null },
  };
}

function listSources(tree: TreeNode, config: Config, cwd: string): OptionSource[] {
  return leavesOf(schema).map(({ path, option }) => {
    const written = nodeAt(tree, path);
    const blank = written === null && option.emptyIsText && blankPlace(tree, path);
    const node = blank ? treeOf("", blank) : (written ?? treeOf(option.default, { kind: "default" }));
    const isChatOff = path === "chat.enabled" && !config.chat.enabled;
    const isUnset = written === null && option.default === null;
    const shown = isChatOff ? false : isUnset ? null : option.show(node, cwd);
    const because = isChatOff && option.show(node, cwd) === true ? "true has no effect without chat.token" : null;
    return { path, place: node.place, shown, because, inEffect: option.inEffect };
  });
}

/** The position of an option with an empty value. */
function blankPlace(tree: TreeNode, path: string): Place | null {
  const cut = path.lastIndexOf(".");
  const parent = nodeAt(tree, path.slice(0, cut));
  const entry = parent?.kind === "map" ? parent.entries.find((e) => e.key === path.slice(cut + 1)) : undefined;
  return entry?.keyPlace ?? null;
}
