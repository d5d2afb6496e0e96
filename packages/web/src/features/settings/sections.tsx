import { useState } from "react";
import { Select } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { languages } from "#core/preferences.ts";
import { transport } from "#core/services.ts";
import { AreaField, ChoiceField, NumberField, OwnField, SwitchField, TagsField, TextField } from "#ui/formFields.tsx";
import { PanelSection } from "#ui/panel.tsx";
import { adminLists, jobLists, jobSection } from "./fields.ts";

export function General() {
  const { t } = useText();
  return (
    <PanelSection title={t("settings.general.title")}>
      <TextField at="general.name" />
      <ChoiceField
        at="general.defaultLanguage"
        description={t("settings.general.languageText")}
        data={languages.map((language) => ({ value: language, label: t(`settings.general.languages.${language}`) }))}
      />
    </PanelSection>
  );
}

export function SignIn() {
  const { t } = useText();
  return (
    <PanelSection title={t("settings.signIn.title")}>
      {["signUp", "lastCharacterLock", "secondFactorForAdmins", "confirmGameAdmins"].map((name) => (
        <SwitchField key={name} at={`auth.${name}`} description={t(`settings.signIn.${name}Text`)} />
      ))}
      <NumberField at="auth.sessionDays" description={t("settings.signIn.sessionDaysText")} />
    </PanelSection>
  );
}

export function Admins() {
  const { t } = useText();
  return (
    <PanelSection title={t("settings.admins.title")} lead={t("settings.admins.lead")}>
      {adminLists.map((name) => (
        <TagsField key={name} at={`auth.${name}`} placeholder={t("settings.admins.add")} />
      ))}
    </PanelSection>
  );
}

export function Jobs() {
  const { t } = useText();
  return (
    <PanelSection title={t("settings.jobs.title")} lead={t("settings.jobs.lead")}>
      {jobLists.map((name) => (
        <TagsField
          key={name}
          at={`${jobSection}.${name}`}
          description={t(`settings.jobs.${name}Text`)}
          placeholder={t("settings.jobs.add")}
        />
      ))}
      <SwitchField at={`${jobSection}.changesInGame`} description={t("settings.jobs.changesInGameText")} />
      <NumberField at={`${jobSection}.timeclockDays`} description={t("settings.jobs.timeclockDaysText")} />
    </PanelSection>
  );
}

export function Uploads() {
  const { t } = useText();
  return (
    <PanelSection title={t("settings.uploads.title")}>
      <NumberField at="files.maxUploadMegabytes" description={t("settings.uploads.capText")} />
    </PanelSection>
  );
}

const TONES = ["info", "warning", "danger"] as const;
const DAY = 86_400_000;
const SHOWN_FOR = ["keep", "never", "1", "7"] as const;

/** `stored`: until when the banner is shown by now. */
export function Banner({ stored }: { stored: number | null }) {
  const { t } = useText();
  return (
    <PanelSection title={t("settings.banner.title")} lead={t("settings.banner.lead")}>
      <SwitchField at="banner.enabled" />
      <AreaField at="banner.text" rows={2} />
      <ChoiceField at="banner.tone" data={TONES.map((tone) => ({ value: tone, label: t(`settings.banner.tones.${tone}`) }))} />
      <OwnField<number | null> at="banner.expiresAt">
        {({ value, set }) => <BannerEnd stored={stored} value={value} onChange={set} />}
      </OwnField>
    </PanelSection>
  );
}

interface BannerEndProps {
  readonly stored: number | null;
  readonly value: number | null;
  onChange(value: number | null): void;
}

function BannerEnd({ stored, value, onChange }: BannerEndProps) {
  const { t } = useText();
  const [chosen, setChosen] = useState("keep");
  const shown = value === null ? "never" : value === stored ? "keep" : chosen;
  const choose = (choice: string | null) => {
    if (choice === null) return;
    setChosen(choice);
    if (choice === "keep") onChange(stored);
    else onChange(choice === "never" ? null : transport.serverNow() + Number(choice) * DAY);
  };
  return (
    <Select
      label={t("settings.banner.until")}
      data={SHOWN_FOR.filter((choice) => choice !== "keep" || shown === "keep" || stored !== null).map((choice) => ({
        value: choice,
        label: t(`settings.banner.untils.${choice}`),
      }))}
      value={shown}
      onChange={choose}
      allowDeselect={false}
    />
  );
}

export function Appearance() {
  const { t } = useText();
  return (
    <PanelSection title={t("settings.website.title")}>
      <TextField at="website.privacyPolicyUrl" type="url" placeholder="https://" />
      <TextField at="website.imprintUrl" type="url" placeholder="https://" />
      <TextField at="display.locale" description={t("settings.website.localeText")} placeholder="de-CH" />
    </PanelSection>
  );
}
