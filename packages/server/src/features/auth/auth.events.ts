import { reactTo } from "#core/ports/index.ts";
import type { EventReaction } from "#core/ports/index.ts";
import { accountsChanged } from "#features/accounts/accounts.contract.ts";
import type { AuthService } from "./auth.service.ts";

export function authEvents(service: AuthService): EventReaction[] {
  return [
    reactTo({
      consumer: "auth.endSessions",
      event: accountsChanged,
      async handle(tx, { payload }) {
        if (!payload.endSessions) return;
        for (const accountId of payload.accountIds) await service.endSessionsOf(tx, accountId);
      },
    }),
  ];
}
