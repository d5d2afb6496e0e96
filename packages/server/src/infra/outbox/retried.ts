import { Type } from "typebox";
import { defineWorkerTask } from "#core/contract/index.ts";
import { applyTask, type Database, type EventMessage, type EventReaction, type TaskHandler } from "#core/ports/index.ts";
import { Overtaken } from "#core/db/errors.ts";
import { react } from "./react.ts";

/** A reaction that failed when its event arrived. */
export const retriedReaction = defineWorkerTask({
  id: "events.react",
  payload: Type.Object({ consumer: Type.String(), message: Type.Unsafe<EventMessage>({}) }),
  lane: "prompt",
});

/** A reaction that this version no longer has is done: nobody wants its effect. */
export function retriedReactions(db: Pick<Database, "now">, reactions: readonly EventReaction[]): TaskHandler {
  const byConsumer = new Map(reactions.map((reaction) => [reaction.consumer, reaction]));
  return applyTask({
    task: retriedReaction,
    async apply(tx, { payload: { consumer, message } }) {
      const reaction = byConsumer.get(consumer);
      if (!reaction) return;
      try {
        await react(db, tx, reaction, message);
      } catch (error) {
        // The unit of work repeats itself.
        if (error instanceof Overtaken) throw error;
        throw new Error(`${consumer} of ${message.type}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
    },
  });
}
