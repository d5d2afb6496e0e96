import type { OutputOf } from "@rollcall/server/contract/core";
import type { getSettings } from "@rollcall/server/contract/settings";
import { NumberInput, Select, Switch, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { languages } from "#core/preferences.ts";
import { transport } from "#core/services.ts";
import { PanelSection } from "#ui/panel.tsx";

type Settings = OutputOf<typeof getSettings>["settings"];

interface SectionProps<K extends keyof Settings> {
  readonly value: Settings[K];
  onChange(change: Partial<Settings[K]>): void;
}

export function General({ value, onChange }: SectionProps<"general">) {
  const { t } = useText();
  return (
    <PanelSection title={t("settings.general.title")}>
      <TextInput
        label={t("settings.general.name")}
        maxLength={60}
        required
        withAsterisk={false}
        value={value.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Select
        label={t("settings.general.language")}
        description={t("settings.general.languageText")}
        data={languages.map((language) => ({ value: language, label: t(`settings.general.languages.${language}`) }))}
        value={value.defaultLanguage}
        onChange={(language) => onChange({ defaultLanguage: language === "de" ? "de" : "en" })}
        allowDeselect={false}
      />
    </PanelSection>
  );
}

export function SignIn({ value, onChange }: SectionProps<"auth">) {
  const { t } = useText();
  const one = (name: "signUp" | "lastCharacterLock" | "secondFactorForAdmins" | "confirmGameAdmins") => (
    <Switch
      label={t(`settings.signIn.${name}`)}
      description={t(`settings.signIn.${name}Text`)}
      checked={value[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.checked })}
    />
  );
  return (
    <PanelSection title={t("settings.signIn.title")}>
      {one("signUp")}
      {one("lastCharacterLock")}
      {one("secondFactorForAdmins")}
      {one("confirmGameAdmins")}
    </PanelSection>
  );
}

const LISTS = ["configAdminGroups", "configAdminUsers", "jobAdminGroups", "jobAdminUsers"] as const;
const MOST_ADMINS = 10;

export function Admins({ value, onChange }: SectionProps<"auth">) {
  const { t } = useText();
  return (
    <PanelSection title={t("settings.admins.title")} lead={t("settings.admins.lead")}>
      {LISTS.map((name) => (
        <TagsInput
          key={name}
          label={t(`settings.admins.${name}`)}
          placeholder={t("settings.admins.add")}
          maxTags={MOST_ADMINS}
          splitChars={[",", " "]}
          value={[...value[name]]}
          onChange={(list) => onChange({ [name]: list })}
          clearButtonProps={{ "aria-label": t("web.filter.clearText") }}
        />
      ))}
    </PanelSection>
  );
}

const MOST_MEGABYTES = 1024;

export function Uploads({ value, onChange }: SectionProps<"files">) {
  const { t } = useText();
  return (
    <PanelSection title={t("settings.uploads.title")}>
      <NumberInput
        label={t("settings.uploads.cap")}
        description={t("settings.uploads.capText")}
        min={1}
        max={MOST_MEGABYTES}
        allowDecimal={false}
        value={value.maxUploadMegabytes}
        onChange={(cap) => typeof cap === "number" && onChange({ maxUploadMegabytes: cap })}
      />
    </PanelSection>
  );
}

const TONES = ["info", "warning", "danger"] as const;
const DAY = 86_400_000;
const SHOWN_FOR = ["keep", "never", "1", "7"] as const;

export function Banner({ value, onChange }: SectionProps<"banner">) {
  const { t } = useText();
  const until = value.expiresAt === null ? "never" : "keep";
  return (
    <PanelSection title={t("settings.banner.title")} lead={t("settings.banner.lead")}>
      <Switch
        label={t("settings.banner.enabled")}
        checked={value.enabled}
        onChange={(event) => onChange({ enabled: event.currentTarget.checked })}
      />
      <Textarea
        label={t("settings.banner.text")}
        rows={2}
        maxLength={512}
        value={value.text}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
      />
      <Select
        label={t("settings.banner.tone")}
        data={TONES.map((tone) => ({ value: tone, label: t(`settings.banner.tones.${tone}`) }))}
        value={value.tone}
        onChange={(tone) => onChange({ tone: TONES.find((one) => one === tone) ?? "info" })}
        allowDeselect={false}
      />
      <Select
        label={t("settings.banner.until")}
        data={SHOWN_FOR.filter((choice) => choice !== "keep" || until === "keep").map((choice) => ({
          value: choice,
          label: t(`settings.banner.untils.${choice}`),
        }))}
        value={until}
        onChange={(choice) => {
          if (choice === "never") onChange({ expiresAt: null });
          else if (choice !== "keep") onChange({ expiresAt: transport.serverNow() + Number(choice) * DAY });
        }}
        allowDeselect={false}
      />
    </PanelSection>
  );
}

export function Appearance(props: {
  display: Settings["display"];
  website: Settings["website"];
  onDisplay: (change: Partial<Settings["display"]>) => void;
  onWebsite: (change: Partial<Settings["website"]>) => void;
}) {
  const { t } = useText();
  const address = (name: "privacyPolicyUrl" | "imprintUrl") => (
    <TextInput
      label={t(`settings.website.${name}`)}
      type="url"
      pattern="https://.+"
      title={t("settings.website.https")}
      placeholder="https://"
      maxLength={255}
      value={props.website[name]}
      onChange={(event) => props.onWebsite({ [name]: event.currentTarget.value.trim() })}
    />
  );
  return (
    <PanelSection title={t("settings.website.title")}>
      {address("privacyPolicyUrl")}
      {address("imprintUrl")}
      <TextInput
        label={t("settings.website.locale")}
        description={t("settings.website.localeText")}
        placeholder="de-CH"
        maxLength={32}
        value={props.display.locale}
        onChange={(event) => props.onDisplay({ locale: event.currentTarget.value.trim() })}
      />
    </PanelSection>
  );
}
