/** Why a file that a setting names cannot be used, as the end of a sentence that begins with the file’s name. */
export function whyUnreadable(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'cannot be read: it does not exist';
  if (code === 'EACCES')
    return 'cannot be read: the user that runs Postern lacks the permission for it or for a folder above it';
  if (code === 'EISDIR') return 'cannot be read: it is a folder';
  return `cannot be used: ${message}`;
}
