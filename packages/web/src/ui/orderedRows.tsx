import type { ReactNode } from "react";
import { ActionIcon, Button } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconPencil, IconRestore, IconTrash } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { asProblem } from "#core/problem.ts";
import { showToast } from "#core/toasts.ts";
import { useAnnouncement } from "./actionList.tsx";
import { offerUndo } from "./confirm.tsx";

/** What the server does with rows that people order, remove and restore. */
export interface RowCalls {
  order(ids: readonly number[]): Promise<unknown>;
  remove(id: number): Promise<unknown>;
  restore(id: number): Promise<unknown>;
  /** Reads the rows again, also after a call that failed. */
  read(): Promise<unknown>;
}

/** Changes of ordered rows: each is announced, a failure is a toast, and what was removed can be restored from one. */
export function useRowChanges(calls: RowCalls) {
  const { t } = useText();
  const { announcement, announce } = useAnnouncement();
  const change = async (call: () => Promise<unknown>, said: string) => {
    try {
      await call();
      announce(said);
    } catch (error) {
      showToast({ tone: "danger", title: problemMessage(t, asProblem(error)) });
    }
    await calls.read();
  };
  const restore = async (id: number, said: string) => await change(async () => await calls.restore(id), said);
  return {
    announcement,
    /** The row at `from` goes so many places down; a negative number goes up. */
    async move(rows: readonly { readonly id: number }[], from: number, step: number, said: string) {
      const ids = rows.map(({ id }) => id);
      const [id] = ids.splice(from, 1);
      ids.splice(from + step, 0, id!);
      await change(async () => await calls.order(ids), said);
    },
    restore,
    async remove(id: number, said: string, restored: string) {
      const call = async () => {
        await calls.remove(id);
        offerUndo(t, { title: said, undo: async () => await restore(id, restored) });
      };
      await change(call, said);
    },
  };
}

export interface RowActionsProps {
  readonly deleted: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly names: Readonly<Record<"up" | "down" | "edit" | "remove" | "restore" | "restoreNamed", string>>;
  onMove(step: 1 | -1): void;
  onEdit(): void;
  onRemove(): void;
  onRestore(): void;
}

/** The buttons of one row: to move, edit and remove it, or to restore it once it was removed. */
export function RowActions({ deleted, isFirst, isLast, names, onMove, onEdit, onRemove, onRestore }: RowActionsProps) {
  if (deleted)
    return (
      <Button
        size="compact-md"
        variant="default"
        leftSection={<IconRestore size={15} />}
        aria-label={names.restoreNamed}
        onClick={onRestore}
      >
        {names.restore}
      </Button>
    );
  return (
    <>
      <Action name={names.up} disabled={isFirst} run={() => onMove(-1)}>
        <IconArrowUp size={16} />
      </Action>
      <Action name={names.down} disabled={isLast} run={() => onMove(1)}>
        <IconArrowDown size={16} />
      </Action>
      <Action name={names.edit} run={onEdit}>
        <IconPencil size={16} />
      </Action>
      <Action name={names.remove} run={onRemove}>
        <IconTrash size={16} />
      </Action>
    </>
  );
}

interface ActionProps {
  readonly name: string;
  readonly disabled?: boolean;
  run(): void;
  readonly children: ReactNode;
}

function Action({ name, disabled = false, run, children }: ActionProps) {
  return (
    <ActionIcon variant="default" size="lg" aria-label={name} title={name} disabled={disabled} onClick={run}>
      {children}
    </ActionIcon>
  );
}
