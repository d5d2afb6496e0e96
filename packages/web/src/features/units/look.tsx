import { lazy, Suspense } from "react";
import { ColorInput } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { loadIconPicker } from "#features/icons/icons.api.ts";
import { OwnField } from "#ui/formFields.tsx";
import { Bars } from "#ui/states.tsx";

const IconPicker = lazy(loadIconPicker);

/** Colour and icon, in a form that has both. */
export function LookFields() {
  const { t } = useText();
  return (
    <>
      <OwnField<string> at="colour">
        {({ value, set, error }) => (
          <ColorInput
            label={t("units.fields.colour")}
            format="hex"
            error={error}
            value={value}
            onChange={(colour) => /^#[0-9a-f]{6}$/i.test(colour) && set(colour.toLowerCase())}
            eyeDropperButtonProps={{ "aria-label": t("units.fields.pickColour") }}
          />
        )}
      </OwnField>
      <Suspense fallback={<Bars widths={["40%"]} />}>
        <OwnField<string | null> at="icon">
          {({ value, set }) => <IconPicker label={t("units.fields.icon")} value={value} onChange={set} />}
        </OwnField>
      </Suspense>
    </>
  );
}
