import { reactTo } from "#core/ports/index.ts";
import type { EventReaction } from "#core/ports/index.ts";
import { rolesChanged } from "#features/access/access.contract.ts";
import type { AuthService } from "./auth.service.ts";

export function authEvents(service: AuthService): EventReaction[] {
  return [
    reactTo({
      consumer: "auth.tellRightsChanged",
      event: rolesChanged,
      async handle(tx, { payload }) {
        await service.tellRightsChanged(tx, payload.job, 0);
      },
    }),
  ];
}
