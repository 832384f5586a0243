import { useQuery } from '@tanstack/react-query';
import { tokensQuery } from '../../api/queries.ts';

interface RevokeTokensProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Access tokens keep working after a new password unless they are removed. Hidden if there are none. */
export function RevokeTokens({ checked, onChange }: RevokeTokensProps) {
  const { data: tokens = [] } = useQuery(tokensQuery);
  if (tokens.length === 0) return null;
  return (
    <label className="flex items-start gap-2 text-[0.8667rem]">
      <input
        type="checkbox"
        className="mt-0.5"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        Also remove my access tokens ({tokens.map(({ name }) => name).join(', ')}). Otherwise, scripts that
        use them keep working.
      </span>
    </label>
  );
}
