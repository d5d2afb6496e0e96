// Generated from the manifests in features/ by npm run generate. Do not edit.
import type { Config } from "#config/index.ts";
import type { Feature } from "#core/feature.ts";
import { absencesFeature } from "#features/absences/absences.feature.ts";
import { accessFeature } from "#features/access/access.feature.ts";
import { accesslistsFeature } from "#features/accesslists/accesslists.feature.ts";
import { accountsFeature } from "#features/accounts/accounts.feature.ts";
import { approvalsFeature } from "#features/approvals/approvals.feature.ts";
import { assignmentsFeature } from "#features/assignments/assignments.feature.ts";
import { auditFeature } from "#features/audit/audit.feature.ts";
import { authFeature } from "#features/auth/auth.feature.ts";
import { callsFeature } from "#features/calls/calls.feature.ts";
import { citizensFeature } from "#features/citizens/citizens.feature.ts";
import { colleaguesFeature } from "#features/colleagues/colleagues.feature.ts";
import { conductFeature } from "#features/conduct/conduct.feature.ts";
import { deskFeature } from "#features/desk/desk.feature.ts";
import { draftsFeature } from "#features/drafts/drafts.feature.ts";
import { dutyFeature } from "#features/duty/duty.feature.ts";
import { exportsFeature } from "#features/exports/exports.feature.ts";
import { filesFeature } from "#features/files/files.feature.ts";
import { gamerequestsFeature } from "#features/gamerequests/gamerequests.feature.ts";
import { iconsFeature } from "#features/icons/icons.feature.ts";
import { imageproxyFeature } from "#features/imageproxy/imageproxy.feature.ts";
import { ingameFeature } from "#features/ingame/ingame.feature.ts";
import { jobgroupsFeature } from "#features/jobgroups/jobgroups.feature.ts";
import { jobsFeature } from "#features/jobs/jobs.feature.ts";
import { licencesFeature } from "#features/licences/licences.feature.ts";
import { linksFeature } from "#features/links/links.feature.ts";
import { noticesFeature } from "#features/notices/notices.feature.ts";
import { notificationsFeature } from "#features/notifications/notifications.feature.ts";
import { oauthFeature } from "#features/oauth/oauth.feature.ts";
import { panicFeature } from "#features/panic/panic.feature.ts";
import { positionsFeature } from "#features/positions/positions.feature.ts";
import { postalsFeature } from "#features/postals/postals.feature.ts";
import { preferencesFeature } from "#features/preferences/preferences.feature.ts";
import { realtimeFeature } from "#features/realtime/realtime.feature.ts";
import { schedulerFeature } from "#features/scheduler/scheduler.feature.ts";
import { searchFeature } from "#features/search/search.feature.ts";
import { settingsFeature } from "#features/settings/settings.feature.ts";
import { setupFeature } from "#features/setup/setup.feature.ts";
import { syncFeature } from "#features/sync/sync.feature.ts";
import { systemFeature } from "#features/system/system.feature.ts";
import { timeclockFeature } from "#features/timeclock/timeclock.feature.ts";
import { tracesFeature } from "#features/traces/traces.feature.ts";
import { unitsFeature } from "#features/units/units.feature.ts";
import { updatesFeature } from "#features/updates/updates.feature.ts";
import { vehiclesFeature } from "#features/vehicles/vehicles.feature.ts";
import { wallboardFeature } from "#features/wallboard/wallboard.feature.ts";

/** All features, each after those that it needs. */
export const features: readonly Feature<Config>[] = [
  auditFeature,
  iconsFeature,
  imageproxyFeature,
  linksFeature,
  postalsFeature,
  realtimeFeature,
  schedulerFeature,
  searchFeature,
  settingsFeature,
  filesFeature,
  syncFeature,
  gamerequestsFeature,
  jobsFeature,
  licencesFeature,
  citizensFeature,
  accessFeature,
  accesslistsFeature,
  accountsFeature,
  draftsFeature,
  dutyFeature,
  noticesFeature,
  notificationsFeature,
  approvalsFeature,
  absencesFeature,
  callsFeature,
  conductFeature,
  deskFeature,
  jobgroupsFeature,
  authFeature,
  exportsFeature,
  oauthFeature,
  positionsFeature,
  ingameFeature,
  panicFeature,
  preferencesFeature,
  setupFeature,
  tracesFeature,
  systemFeature,
  unitsFeature,
  assignmentsFeature,
  colleaguesFeature,
  timeclockFeature,
  updatesFeature,
  vehiclesFeature,
  wallboardFeature,
];
