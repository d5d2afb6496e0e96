import { pageStates as access } from "./access.ts";
import { pageStates as account } from "./account.ts";
import { pageStates as admin } from "./admin.ts";
import { pageStates as audit } from "./audit.ts";
import { pageStates as core } from "./core.ts";
import { pageStates as notices } from "./notices.ts";
import { pageStates as notifications } from "./notifications.ts";
import { pageStates as oauth } from "./oauth.ts";
import { pageStates as signin } from "./signin.ts";
import { pageStates as updates } from "./updates.ts";
import type { PageState } from "./state.ts";

/** All tested page states. */
export const pageStates: readonly PageState[] = [
  ...core,
  ...signin,
  ...account,
  ...oauth,
  ...access,
  ...admin,
  ...audit,
  ...notices,
  ...notifications,
  ...updates,
];
