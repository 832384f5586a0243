// The elements of react-native that the README uses, as host elements for react-test-renderer.
export const Button = 'Button';
export const Text = 'Text';
export const TextInput = 'TextInput';
export const View = 'View';
