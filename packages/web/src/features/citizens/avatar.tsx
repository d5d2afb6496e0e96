import { lazy, Suspense } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { avatarKind, putAvatar } from "@rollcall/server/contract/citizens";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { Section } from "#ui/small.tsx";
import { loadPictureUpload } from "#features/files/files.api.ts";
import { fullName } from "./columns.tsx";
import type { Citizen } from "./citizens.queries.ts";

const PictureUpload = lazy(loadPictureUpload);

/** The citizen's picture; its player can change it. */
export function Avatar({ citizen }: { citizen: Citizen }) {
  const { t } = useText();
  const { character } = useActiveIdentity();
  const queries = useQueryClient();
  const label = t("citizens.avatar.of", { name: fullName(citizen) });
  if (character.id !== citizen.id)
    return citizen.avatar ? (
      <Section title={t("citizens.avatar.title")}>
        <img src={citizen.avatar.url} alt={label} width={128} height={128} style={{ borderRadius: 8, objectFit: "contain" }} />
      </Section>
    ) : null;
  const save = async (file: number | null) => {
    await api.call(putAvatar, { body: { file } });
    await queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith("citizens.") });
  };
  return (
    <Section title={t("citizens.avatar.title")} screenOnly={citizen.avatar === undefined}>
      <Suspense fallback={null}>
        <PictureUpload
          kind={avatarKind}
          owner={String(citizen.id)}
          label={label}
          value={citizen.avatar ?? null}
          round
          save={save}
        />
      </Suspense>
    </Section>
  );
}
