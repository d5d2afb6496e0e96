// Generated from features/*/*.pages.tsx by npm run generate. Do not edit.
import type { FeaturePages } from "#core/pages.ts";
import { absencesPages } from "#features/absences/absences.pages.tsx";
import { accessPages } from "#features/access/access.pages.tsx";
import { accountPages } from "#features/account/account.pages.tsx";
import { accountsPages } from "#features/accounts/accounts.pages.tsx";
import { approvalsPages } from "#features/approvals/approvals.pages.tsx";
import { assignmentsPages } from "#features/assignments/assignments.pages.tsx";
import { auditPages } from "#features/audit/audit.pages.tsx";
import { callsPages } from "#features/calls/calls.pages.tsx";
import { citizensPages } from "#features/citizens/citizens.pages.tsx";
import { colleaguesPages } from "#features/colleagues/colleagues.pages.tsx";
import { conductPages } from "#features/conduct/conduct.pages.tsx";
import { crewPages } from "#features/crew/crew.pages.tsx";
import { deskPages } from "#features/desk/desk.pages.tsx";
import { dutyPages } from "#features/duty/duty.pages.tsx";
import { filesPages } from "#features/files/files.pages.tsx";
import { framePages } from "#features/frame/frame.pages.tsx";
import { homePages } from "#features/home/home.pages.tsx";
import { ingamePages } from "#features/ingame/ingame.pages.tsx";
import { jobgroupsPages } from "#features/jobgroups/jobgroups.pages.tsx";
import { jobsPages } from "#features/jobs/jobs.pages.tsx";
import { noticesPages } from "#features/notices/notices.pages.tsx";
import { notificationsPages } from "#features/notifications/notifications.pages.tsx";
import { panicPages } from "#features/panic/panic.pages.tsx";
import { positionsPages } from "#features/positions/positions.pages.tsx";
import { postalsPages } from "#features/postals/postals.pages.tsx";
import { realtimePages } from "#features/realtime/realtime.pages.tsx";
import { schedulerPages } from "#features/scheduler/scheduler.pages.tsx";
import { settingsPages } from "#features/settings/settings.pages.tsx";
import { setupPages } from "#features/setup/setup.pages.tsx";
import { systemPages } from "#features/system/system.pages.tsx";
import { timeclockPages } from "#features/timeclock/timeclock.pages.tsx";
import { unitsPages } from "#features/units/units.pages.tsx";
import { vehiclesPages } from "#features/vehicles/vehicles.pages.tsx";
import { wallboardPages } from "#features/wallboard/wallboard.pages.tsx";

/** The pages of all features. */
export const features: readonly FeaturePages[] = [
  absencesPages,
  accessPages,
  accountPages,
  accountsPages,
  approvalsPages,
  assignmentsPages,
  auditPages,
  callsPages,
  citizensPages,
  colleaguesPages,
  conductPages,
  crewPages,
  deskPages,
  dutyPages,
  filesPages,
  framePages,
  homePages,
  ingamePages,
  jobgroupsPages,
  jobsPages,
  noticesPages,
  notificationsPages,
  panicPages,
  positionsPages,
  postalsPages,
  realtimePages,
  schedulerPages,
  settingsPages,
  setupPages,
  systemPages,
  timeclockPages,
  unitsPages,
  vehiclesPages,
  wallboardPages,
];
