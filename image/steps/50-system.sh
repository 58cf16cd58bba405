# Assembles one slot: Debian, the kernel, the box, and our files over them.
system=$work/system
rm -rf "$system"
mkdir -p "$system"
zstd -dc "$rootfs_tar" | tar -x -C "$system" --numeric-owner

mkdir -p "$system/boot" "$system/usr/lib/modules" "$system/usr/lib/firmware"
cp "$kernel_root/boot/vmlinuz-$kernel_release" "$system/boot/vmlinuz"
cp "$kernel_root/boot/initrd.img" "$system/boot/initrd.img"
cp -a "$kernel_root/usr/lib/modules/$kernel_release" "$system/usr/lib/modules/"
# Drivers of devices that no gate has.
(cd "$system/usr/lib/modules/$kernel_release/kernel" &&
  rm -rf sound drivers/{gpu,media,infiniband,iio,isdn,staging,accel,comedi,edac,fpga,hwtracing,message,misc/habanalabs,mtd,parport,scsi/{lpfc,qla2xxx,mpt3sas,megaraid,aacraid,bnx2i,bnx2fc,be2iscsi,csiostor,pm8001,smartpqi,hisi_sas},thunderbolt,tty/ipwireless,video,ata,nvme,nvdimm,firewire,target} \
    drivers/net/ethernet/{broadcom/bnx2x,broadcom/bnxt,cavium,chelsio,cisco,emulex,freescale,hisilicon,huawei,intel,marvell,mellanox,meta,microsoft,mscc,netronome,pensando,qlogic,qualcomm,sfc,stmicro,ti,wangxun,amazon,amd,aquantia,atheros,google,fungible} \
    drivers/net/wireless/{ath,intel,marvell,mediatek,ralink,realtek,rsi,silabs,st,ti,quantenna,microchip,admtek,atmel,intersil,legacy,purelifi,zydas} \
    fs/{afs,btrfs,ceph,cifs,smb,coda,dlm,ecryptfs,f2fs,gfs2,hfs,hfsplus,jfs,jffs2,minix,nfs,nfsd,nilfs2,ntfs3,ocfs2,orangefs,reiserfs,ubifs,udf,ufs,xfs,bcachefs,9p,befs,efs,erofs,exfat,omfs,qnx4,qnx6,romfs,zonefs} \
    net/{atm,ax25,batman-adv,bluetooth,can,dccp,decnet,ieee802154,l2tp,lapb,mpls,netrom,nfc,openvswitch,phonet,rds,rose,rxrpc,sctp,smc,sunrpc,tipc,vmw_vsock,x25})
in_tools depmod -b "$system/usr" "$kernel_release"
cp -a "$kernel_root/usr/lib/firmware/." "$system/usr/lib/firmware/"
# The licences of what was unpacked alone, beside those of Debian's other packages.
(cd "$kernel_root/usr/share/doc" && cp --parents */copyright "$system/usr/share/doc/")
# regulatory.db has two signatures, between which update-alternatives would choose.
[ -e "$system/usr/lib/firmware/regulatory.db-debian" ] && for file in regulatory.db regulatory.db.p7s; do ln -sf "$file-debian" "$system/usr/lib/firmware/$file"; done

mkdir -p "$system/opt"
cp -a "$app" "$system/opt/gatehouse"
cp -r "$image/overlay/." "$system/"
cp "$keys/updates.crt" "$system/etc/rauc/keyring.pem"
chown -R 0:0 "$system/opt" "$system/etc/systemd" "$system/etc/rauc" "$system/etc/nftables.conf" "$system/etc/chrony" "$system/etc/udev" "$system/usr/lib/gatehouse" "$system/usr/lib/sysusers.d" "$system/usr/lib/tmpfiles.d" "$system/usr/local"

printf '%s\n' "$version" >"$system/etc/gatehouse-version"
printf 'gatehouse\n' >"$system/etc/hostname"
printf '127.0.0.1 localhost\n127.0.1.1 gatehouse\n::1 localhost ip6-localhost\n' >"$system/etc/hosts"
# The initramfs has already mounted everything.
printf '' >"$system/etc/fstab"
ln -sf /run/systemd/resolve/stub-resolv.conf "$system/etc/resolv.conf"
# The initramfs replaces it by this machine's own, before systemd reads it.
: >"$system/etc/machine-id"
mkdir -p "$system/data" "$system/boot/firmware"
# No login with a password: root's is locked, and ssh accepts only keys.
sed -i 's/^root:[^:]*:/root:!*:/' "$system/etc/shadow"

systemd_in() { in_tools env SYSTEMD_OFFLINE=1 systemctl --root="$system" "$@"; }
in_tools systemd-sysusers --root="$system"
# Disables services of Debian that this machine does not use: they would look for a chip, a screen or a file that is not
# here, and take seconds of each start on a small board.
used=" systemd-journald.service systemd-journald.socket systemd-journald-dev-log.socket systemd-sysctl.service systemd-tmpfiles-setup.service
 systemd-udevd.service systemd-udevd-control.socket systemd-udevd-kernel.socket systemd-udev-trigger.service dbus.socket "
for wants in "$system"/{usr/lib,etc}/systemd/system/*.target.wants/*; do
  case $used in *[[:space:]]"$(basename "$wants")"[[:space:]]*) ;; *) rm "$wants" ;; esac
done
# Disables the generators, which would run at each start, also the one for consoles, where nobody is.
mkdir -p "$system/etc/systemd/system-generators"
for generator in "$system"/usr/lib/systemd/system-generators/*; do ln -s /dev/null "$system/etc/systemd/system-generators/$(basename "$generator")"; done
systemd_in -q enable gatehouse-setup gatehouse gatehouse-watchdog gatehouse-tail-at-end gatehouse-access-point gatehouse-wifi gatehouse-ssh systemd-networkd nftables
# Services that others would start. Without logind, systemctl uses systemd directly, and an ssh login has no session of 20 MB.
systemd_in -q mask systemd-logind.service systemd-networkd-persistent-storage.service systemd-network-generator.service systemd-udev-load-credentials.service hostapd.service nats-server.service ssh.socket
systemd_in -q set-default multi-user.target
# All writes to the system are in memory already.
rm -f "$system/usr/lib/systemd/system/tmp.mount"
# Disables nologin, which is for users without the right to log in before the start is complete: there are none.
mkdir -p "$system/etc/tmpfiles.d" && ln -sf /dev/null "$system/etc/tmpfiles.d/systemd-nologin.conf"
# udev rules for devices that no gate has: every rule is evaluated for every device.
(cd "$system/usr/lib/udev/rules.d" && rm -f 60-{cdrom_id,drm,evdev,fido-id,infiniband,input-id,persistent-alsa,persistent-input,persistent-storage-mtd,persistent-storage-tape,persistent-v4l,sensor,serial}.rules \
  64-btrfs.rules 70-{camera,joystick,memory,mouse,touchpad,uaccess,power-switch}.rules 71-seat.rules 73-seat-late.rules 75-probe_mtd.rules 78-sound-card.rules 90-iocost.rules 96-e2scrub.rules)

# Debian would treat it as a new system at each start, and make its caches again.
touch "$system/etc/.updated" "$system/var/.updated"
# Files that differ between builds, or are useless without apt.
rm -rf "$system"/var/cache/{apt,debconf,ldconfig,man}/* "$system"/var/lib/apt/* "$system"/var/log/* "$system"/tmp/* "$system"/run/* "$system"/root/.bash* "$system"/usr/share/{man,info,locale,bug,lintian,linda}/* "$system"/etc/{passwd-,group-,shadow-,gshadow-,subuid-,subgid-} "$system"/var/lib/dpkg/*-old
# One time stamp for all files, from a cache or not.
find "$system" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
