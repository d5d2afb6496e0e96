import { sights as access } from "./access.ts";
import { sights as account } from "./account.ts";
import { sights as admin } from "./admin.ts";
import { sights as audit } from "./audit.ts";
import { sights as core } from "./core.ts";
import { sights as notices } from "./notices.ts";
import { sights as notifications } from "./notifications.ts";
import { sights as oauth } from "./oauth.ts";
import { sights as signin } from "./signin.ts";
import { sights as updates } from "./updates.ts";
import type { Sight } from "./sight.ts";

/** Every state of every page that is looked at. */
export const sights: readonly Sight[] = [
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
