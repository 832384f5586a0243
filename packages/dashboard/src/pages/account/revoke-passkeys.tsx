import { useQuery } from '@tanstack/react-query';
import { passkeysQuery } from '../../api/queries.ts';

interface RevokePasskeysProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Passkeys sign in without the password, so a new password alone does not stop them. Hidden if there are none. */
export function RevokePasskeys({ checked, onChange }: RevokePasskeysProps) {
  const { data: passkeys = [] } = useQuery(passkeysQuery);
  if (passkeys.length === 0) return null;
  return (
    <label className="flex items-start gap-2 text-[0.8667rem]">
      <input
        type="checkbox"
        className="mt-0.5"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        Also remove my passkeys ({passkeys.map(({ name }) => name).join(', ')}). Otherwise, they still sign
        in.
      </span>
    </label>
  );
}
