import { useRouter } from "@tanstack/react-router";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { type Command, type CommandContext, isOffered } from "#core/pages.ts";
import { asProblem } from "#core/problem.ts";
import { showToast } from "#core/toasts.ts";
import { openDialog } from "./dialogs.ts";

/** What commands and shortcuts act with. */
export function useCommandContext(): CommandContext {
  const identity = useActiveIdentity();
  const { history } = useRouter();
  return { identity, go: (path) => history.push(path), open: openDialog };
}

/** The commands that are offered now; each runs without arguments, and a failure becomes a toast. */
export function useOfferedCommands(commands: readonly Command[]): readonly (Omit<Command, "run"> & { run(): void })[] {
  const { t } = useText();
  const context = useCommandContext();
  const { identity } = context;
  const run = async (command: Command) => {
    try {
      await command.run(context);
    } catch (error) {
      showToast({ tone: "danger", title: t(command.label), text: problemMessage(t, asProblem(error)) });
    }
  };
  return commands
    .filter((command) => isOffered(command, identity) && (command.when?.(identity) ?? true))
    .map((command) => ({ ...command, run: () => void run(command) }));
}
