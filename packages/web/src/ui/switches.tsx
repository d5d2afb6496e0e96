import { SegmentedControl } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { languages, setPreferences, tablet, usePreferences, type Language } from "#core/preferences.ts";

const NAMES: Record<Language, string> = { en: "English", de: "Deutsch" };

export function LanguageSwitch({ fullWidth = false }: { fullWidth?: boolean }) {
  const { t } = useText();
  const { language } = usePreferences();
  return (
    <SegmentedControl
      size={tablet ? "md" : "xs"}
      fullWidth={fullWidth}
      aria-label={t("web.language")}
      value={language}
      onChange={(value) => setPreferences({ language: value })}
      data={languages.map((one) => ({ value: one, label: <span lang={one}>{NAMES[one]}</span> }))}
    />
  );
}
