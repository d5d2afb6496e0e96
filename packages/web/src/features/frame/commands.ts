import { useRouter } from "@tanstack/react-router";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useHolding } from "#core/conditions.ts";
import { problemMessage } from "#core/messages.ts";
import { type Command, type CommandContext, isOffered, type Jump } from "#core/pages.ts";
import { asProblem } from "#core/problem.ts";
import { showToast } from "#core/toasts.ts";
import { openDialog } from "./dialogs.ts";

/** What commands and shortcuts act with. */
export function useCommandContext(): CommandContext {
  const identity = useActiveIdentity();
  const { history } = useRouter();
  return { identity, go: (path) => history.push(path), open: openDialog };
}

/** Runs something that the palette offers; a failure becomes a toast. */
function useRun(): (label: string, work: () => void | Promise<void>) => void {
  const { t } = useText();
  const run = async (label: string, work: () => void | Promise<void>) => {
    try {
      await work();
    } catch (error) {
      showToast({ tone: "danger", title: t(label), text: problemMessage(t, asProblem(error)) });
    }
  };
  return (label, work) => void run(label, work);
}

/** What can be done with hits of each kind now. */
export function useOfferedActions(jumps: readonly Jump[]) {
  const run = useRun();
  const context = useCommandContext();
  return new Map(
    jumps.map(({ kind, actions = [] }) => [
      kind,
      actions
        .filter((action) => isOffered(action, context.identity))
        .map(({ id, label, icon, ...action }) => ({
          id,
          label,
          icon,
          run: (object: number, ref: string) => run(label, () => action.run(object, context, ref)),
        })),
    ]),
  );
}

/** The commands that are offered now, each with its context; a failure becomes a toast. */
export function useOfferedCommands(
  commands: readonly Command[],
): readonly (Omit<Command, "run"> & { run(text: string): void })[] {
  const { t } = useText();
  const run = useRun();
  const context = useCommandContext();
  const { identity } = context;
  const give = async ({ typed, ...command }: Command, text: string) => {
    await command.run(context, text);
    if (typed?.done !== undefined) showToast({ tone: "success", title: t(typed.label, { text }), text: t(typed.done, { text }) });
  };
  const meant = commands.filter((command) => isOffered(command, identity) && (command.when?.(identity) ?? true));
  const holding = useHolding(meant.map(({ given }) => given));
  return meant
    .filter(({ given }) => given === undefined || holding.has(given))
    .map((command) => ({ ...command, run: (text) => run(command.label, async () => await give(command, text)) }));
}
