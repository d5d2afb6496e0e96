import type { Outgoing } from "#core/ports/index.ts";

export function createOutgoing(): Outgoing {
  return {
    request: async () => {
      throw new Error("not there yet");
    },
  };
}
