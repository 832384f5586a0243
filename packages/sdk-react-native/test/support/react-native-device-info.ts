// A small implementation of react-native-device-info’s published interface.
export const getBundleId = () => 'com.example.bank';
export const getUniqueId = async () => 'a1b2c3d4-e5f6';
