import type { FieldInfo } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { usePreferences } from "#core/preferences.ts";
import { absoluteTime } from "#core/time.ts";

/** In the order of the page. `general.setupComplete` is not among them: the setup page sets it. */
export function useSettingFields(): Readonly<Record<string, FieldInfo>> {
  const { t } = useText();
  const { language } = usePreferences();
  const fields: Record<string, FieldInfo> = {
    "general.name": { label: t("settings.general.name") },
    "general.defaultLanguage": {
      label: t("settings.general.language"),
      show: (value) => t(`settings.general.languages.${String(value)}`),
    },
  };
  for (const name of ["signUp", "lastCharacterLock", "secondFactorForAdmins", "confirmGameAdmins"])
    fields[`auth.${name}`] = { label: t(`settings.signIn.${name}`) };
  fields["auth.sessionDays"] = { label: t("settings.signIn.sessionDays") };
  for (const name of adminLists) fields[`auth.${name}`] = { label: t(`settings.admins.${name}`) };
  for (const name of jobLists) fields[`${jobSection}.${name}`] = { label: t(`settings.jobs.${name}`) };
  fields[`${jobSection}.changesInGame`] = { label: t("settings.jobs.changesInGame") };
  fields[`${jobSection}.timeclockDays`] = { label: t("settings.jobs.timeclockDays") };
  const address = (name: string) => ({ label: t(`settings.website.${name}`), form: t("settings.website.https") });
  return {
    ...fields,
    "files.maxUploadMegabytes": { label: t("settings.uploads.cap") },
    "banner.enabled": { label: t("settings.banner.enabled") },
    "banner.text": { label: t("settings.banner.text") },
    "banner.tone": { label: t("settings.banner.tone"), show: (value) => t(`settings.banner.tones.${String(value)}`) },
    "banner.expiresAt": {
      label: t("settings.banner.until"),
      show: (value) => (typeof value === "number" ? absoluteTime(value, language) : t("settings.banner.untils.never")),
    },
    "website.privacyPolicyUrl": address("privacyPolicyUrl"),
    "website.imprintUrl": address("imprintUrl"),
    "display.locale": { label: t("settings.website.locale") },
  };
}

export const jobLists = ["offDutyNames", "notOffDuty", "unemployed"] as const;
/** Of the settings, not of the texts. */
export const jobSection = "jobs";
export const adminLists = ["configAdminGroups", "configAdminUsers", "jobAdminGroups", "jobAdminUsers"] as const;
