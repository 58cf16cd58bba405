# The boot loader's script: chooses the first slot in ORDER that has attempts left, counts the attempt, and starts it. A slot that
# cannot be loaded is skipped; one that starts but is not marked good is skipped at the next start.
setenv ORDER "A B"
setenv A_LEFT 3
setenv B_LEFT 3
setenv consoles "console=tty1 console=ttyAMA0,115200"
if test "${vendor}" = raspberrypi; then
  # This kernel does not fit between the places that the board's boot loader would put it and its first file system at.
  setenv kernel_addr_r 0x04000000
  setenv ramdisk_addr_r 0x08000000
  setenv ab_addr 0x0a000000
  setenv consoles "console=tty1 console=ttyS1,115200"
else
  setenv ab_addr ${loadaddr}
fi
test -n "${ab_addr}" || setenv ab_addr ${scriptaddr}

if load ${devtype} ${devnum}:1 ${ab_addr} ab.env; then
  env import -t ${ab_addr} ${filesize} ORDER A_LEFT B_LEFT
fi

# Always the same single sector: a power cut leaves either the old or the new text.
setenv save 'mw.b ${ab_addr} 0x0a 0x200; env export -t ${ab_addr} ORDER A_LEFT B_LEFT; setexpr end ${ab_addr} + ${filesize}; mw.b ${end} 0x0a 1; setexpr last ${end} - 1; fatwrite ${devtype} ${devnum}:1 ${ab_addr} ab.env 0x200'
# Turned off, because they cost time of each start, of each system call, or memory: security modules without a policy, auditing, page tables of the
# kernel's own (Pi 3 and 4 have processors that do not read past them), pages of 2 MB, for which 60 MB would be kept free.
setenv plain "lsm=landlock,yama audit=0 kpti=off transparent_hugepage=never panic=10 quiet loglevel=4"
setenv start 'load ${devtype} ${devnum}:${part} ${kernel_addr_r} /boot/vmlinuz && load ${devtype} ${devnum}:${part} ${ramdisk_addr_r} /boot/initrd.img && setenv bootargs "gatehouse.slot=${slot} gatehouse.disk=5c0a0002 gatehouse.from=${devtype} ${consoles} ${plain}" && booti ${kernel_addr_r} ${ramdisk_addr_r}:${filesize} ${fdt_addr}'

for slot in ${ORDER}; do
  setenv part 2
  setenv left ${A_LEFT}
  if test "${slot}" = B; then
    setenv part 3
    setenv left ${B_LEFT}
  fi
  if test ${left} -gt 0; then
    setexpr left ${left} - 1
    setenv ${slot}_LEFT ${left}
    run save
    echo "gatehouse: slot ${slot}, ${left} attempts left after this one"
    run start
    echo "gatehouse: slot ${slot} cannot be loaded"
  fi
done

echo "gatehouse: no slot started; all of them again"
setenv A_LEFT 3
setenv B_LEFT 3
run save
sleep 5
reset
